// The inputs of the benchmark with Go's net/http and encoding/json, as its users would write them.
//
// usage: http-go PORT THREADS
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
)

type echo struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type address struct {
	Street string `json:"street"`
	City   string `json:"city"`
	Zip    uint32 `json:"zip"`
}

type order struct {
	ID       uint64  `json:"id"`
	Customer string  `json:"customer"`
	Email    string  `json:"email"`
	Amount   float64 `json:"amount"`
	Quantity uint32  `json:"quantity"`
	Paid     bool    `json:"paid"`
	Note     *string `json:"note"`
	Currency string  `json:"currency"`
	Created  int64   `json:"created"`
	To       address `json:"to"`
}

// sendBack decodes the body into a T, refusing unknown members, and answers with it.
func sendBack[T any](answer http.ResponseWriter, request *http.Request) {
	var body T
	decoder := json.NewDecoder(request.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	answer.Header().Set("Content-Type", "application/json")
	json.NewEncoder(answer).Encode(body)
}

// lines counts the records of NDJSON, each of them checked in full.
func lines(answer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	accepted := 0
	for _, line := range bytes.Split(body, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		if !json.Valid(line) {
			http.Error(answer, "not valid JSON", http.StatusBadRequest)
			return
		}
		accepted++
	}
	answer.Header().Set("Content-Type", "application/json")
	answer.WriteHeader(http.StatusAccepted)
	json.NewEncoder(answer).Encode(map[string]int{"accepted": accepted, "rejected": 0})
}

func main() {
	threads, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	runtime.GOMAXPROCS(threads)
	http.HandleFunc("POST /echo", sendBack[echo])
	http.HandleFunc("POST /order", sendBack[order])
	http.HandleFunc("POST /lines", lines)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
