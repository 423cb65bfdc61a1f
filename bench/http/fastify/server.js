// The inputs of the benchmark with Fastify and its schemas, as its users would write them.
//
// usage: node server.js PORT
import Fastify from "fastify";

const text = {type: "string"};
const echo = {
  type: "object", additionalProperties: false, required: ["name", "text"],
  properties: {name: text, text},
};
const order = {
  type: "object", additionalProperties: false,
  required: ["id", "customer", "email", "amount", "quantity", "paid", "currency", "created", "to"],
  properties: {
    id: {type: "integer"}, customer: text, email: text, amount: {type: "number"},
    quantity: {type: "integer"}, paid: {type: "boolean"}, note: {type: ["string", "null"]},
    currency: text, created: {type: "integer"},
    to: {
      type: "object", additionalProperties: false, required: ["street", "city", "zip"],
      properties: {street: text, city: text, zip: {type: "integer"}},
    },
  },
};

const app = Fastify({bodyLimit: 64 << 20, ajv: {customOptions: {removeAdditional: false}}});
app.addContentTypeParser("application/x-ndjson", {parseAs: "buffer"}, (request, body, done) => done(null, body));
for (const [path, schema] of [["/echo", echo], ["/order", order]]) {
  app.post(path, {schema: {body: schema, response: {200: schema}}}, async (request) => request.body);
}
app.post("/lines", async (request, reply) => {
  let accepted = 0;
  for (const line of request.body.toString("utf8").split("\n")) {
    if (line === "") continue;
    JSON.parse(line);
    accepted += 1;
  }
  return reply.code(202).send({accepted, rejected: 0});
});
await app.listen({host: "127.0.0.1", port: Number(process.argv[2])});
