module http-go

go 1.22
