// Derives every key of schemas/key-vectors.json a second time, from FORMAT alone and in another language.
//
//     node tests/host/check-vectors.mjs [schemas/key-vectors.json]
//
// Prints one line for each vector that comes out otherwise; exit code 1 if there is one.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const MISSING = Symbol("missing");
const OID = Buffer.from("6ba7b8129dad11d180b400c04fd430c8", "hex");

class Refused extends Error {}

class Num {
  constructor(text) { this.text = plain(text); }
}

// JSON, exact: numbers keep their digits, and what two readers could take differently is refused.
function parse(text) {
  let at = 0;
  const fail = (why) => { throw new Refused(`${why} at ${at}`); };
  const space = () => { while (" \t\n\r".includes(text[at]) && at < text.length) at++; };
  function value() {
    space();
    const head = text[at];
    if (head === "{") return object();
    if (head === "[") return array();
    if (head === '"') return string();
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    }
    const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/.exec(text.slice(at));
    if (!number) fail("no value");
    at += number[0].length;
    return new Num(number[0]);
  }
  function string() {
    const found = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.exec(text.slice(at));
    if (!found) fail("a text does not end");
    at += found[0].length;
    const made = JSON.parse(found[0]);
    if (!made.isWellFormed()) fail("half a surrogate pair");
    return made;
  }
  function object() {
    const members = new Map();
    at++; space();
    if (text[at] === "}") { at++; return members; }
    for (;;) {
      space();
      if (text[at] !== '"') fail("no member name");
      const name = string();
      if (members.has(name)) fail("a member twice");
      space();
      if (text[at++] !== ":") fail("no colon");
      members.set(name, value());
      space();
      if (text[at] === "}") { at++; return members; }
      if (text[at++] !== ",") fail("no comma");
    }
  }
  function array() {
    const elements = [];
    at++; space();
    if (text[at] === "]") { at++; return elements; }
    for (;;) {
      elements.push(value());
      space();
      if (text[at] === "]") { at++; return elements; }
      if (text[at++] !== ",") fail("no comma");
    }
  }
  const whole = value();
  space();
  if (at !== text.length) fail("text behind the value");
  return whole;
}

// The shortest plain decimal form, by moving the point in the digits as they are written.
function plain(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(text);
  const power = Number(exponent);
  if (Math.abs(power) > 1000) throw new Refused("too many digits");
  let digits = whole + fraction, point = whole.length + power;
  if (point < 0) { digits = "0".repeat(-point) + digits; point = 0; }
  if (point > digits.length) digits += "0".repeat(point - digits.length);
  const left = digits.slice(0, point).replace(/^0+/, "") || "0";
  const right = digits.slice(point).replace(/0+$/, "");
  const made = right ? `${left}.${right}` : left;
  if (made.replace(".", "").length > 100) throw new Refused("too many digits");
  return made === "0" ? "0" : sign + made;
}

function tagged(value) {
  if (value === null || value === true || value === false) return value;
  if (value === MISSING) return { m: 1 };
  if (typeof value === "string") return { s: value.normalize("NFC") };
  if (value instanceof Num) return { n: value.text };
  if (typeof value === "number") return { n: plain(String(value)) };
  if (Array.isArray(value)) return value.map(tagged);
  return { o: Object.fromEntries([...value].map(([name, member]) => [name, tagged(member)])) };
}

// RFC 8785: members by their UTF-16 code units, JSON.stringify for everything else.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const hmac = (secret, text) => createHmac("sha256", Buffer.from(secret, "hex")).update(text, "utf8").digest();

function keyText(shape, digest) {
  const digits = digest.toString("hex");
  if (shape === "hex64") return digits;
  if (shape === "hex32") return digits.slice(0, 32);
  const bytes = createHash("sha1").update(OID).update(digits, "ascii").digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | (shape === "uuid4" ? 0x40 : 0x50);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// Field names
function field(text) {
  for (const place of ["query", "header"]) {
    if (text.startsWith(`${place}:`)) {
      const name = text.slice(place.length + 1);
      return { place, steps: [name.replace(/\?$/, "")], optional: name.endsWith("?"), name: text.replace(/\?$/, "") };
    }
  }
  const optional = /\?$/.test(text) && !text.endsWith('"?"');
  const rest = optional ? text.slice(0, -1) : text;
  const steps = [];
  if (rest !== "$body") {
    const segment = /(?:"((?:[^"\\]|\\["\\])*)"|([^.\[\]:?"]+))((?:\[\])*)(?:\.|$)/y;
    while (segment.lastIndex < rest.length) {
      const found = segment.exec(rest);
      steps.push(found[1] === undefined ? found[2] : found[1].replace(/\\(["\\])/g, "$1"));
      for (let n = 0; n < found[3].length; n += 2) steps.push(null);
    }
  }
  return { place: "body", steps, optional, name: printed(steps) || "$body" };
}

// The one spelling of a path: quotes only where they are needed.
function printed(steps) {
  return steps.reduce((text, step) => {
    if (step === null) return `${text}[]`;
    const name = /^[^.\[\]:?"]+$/.test(step) && step !== "$body" ? step : `"${step.replace(/[\\"]/g, "\\$&")}"`;
    return text ? `${text}.${name}` : name;
  }, "");
}

function get(value, steps) {
  if (!steps.length) return value;
  const [step, ...rest] = steps;
  if (step === null) return Array.isArray(value) ? value.map((one) => get(one, rest)) : MISSING;
  return value instanceof Map && value.has(step) ? get(value.get(step), rest) : MISSING;
}

function without(value, steps) {
  const [step, ...rest] = steps;
  if (step === null) return Array.isArray(value) ? value.map((one) => without(one, rest)) : value;
  if (!(value instanceof Map) || !value.has(step)) return value;
  const copy = new Map(value);
  if (rest.length) copy.set(step, without(value.get(step), rest)); else copy.delete(step);
  return copy;
}

function set(value, steps, make, element) {
  const [step, ...rest] = steps;
  if (step === null) return value.map((one) => set(one, rest, make, one));
  const copy = new Map(value);
  if (!rest.length) copy.set(step, make(element));
  else if (copy.has(step) || rest[0] !== null) copy.set(step, set(copy.get(step) ?? new Map(), rest, make, element));
  return copy;
}

const missing = (value) => value === MISSING || (Array.isArray(value) && value.some(missing));

// URLs
const unreserved = /[A-Za-z0-9\-._~]/;
function escaped(text) {
  return [...Buffer.from(text, "utf8")]
    .map((byte) => (byte < 128 && unreserved.test(String.fromCharCode(byte)) ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)).join("");
}

function fillUrl(url, variables) {
  const filled = url.replace(/\{([^{}]*)\}/g, (_, name) => {
    if (!(name in variables)) throw new Refused(`no ${name}`);
    const text = String(variables[name]);
    if (["", ".", ".."].includes(text)) throw new Refused("no path value");
    return escaped(text.normalize("NFC"));
  });
  const [, scheme, authority, rest] = /^([^:]+):\/\/([^\/?#]*)(.*)$/s.exec(filled);
  const port = { http: "80", https: "443" }[scheme.toLowerCase()];
  return `${scheme.toLowerCase()}://${authority.toLowerCase().replace(new RegExp(`:(${port})?$`), "")}${rest}`;
}

const texts = (values) => (Array.isArray(values) ? values.map(String) : String(values));

function place(operation) {
  const key = operation.key;
  if (!key) return null;
  if (typeof key !== "string") return { shape: "uuid", ...key };
  const [where, ...name] = key.split(" ");
  return { in: where, name: name.join(" "), shape: "uuid" };
}

function reference(operation) {
  const given = operation.reference;
  if (!given) return null;
  const made = typeof given === "string" ? { name: given.replace(/^field /, ""), shape: "uuid" } : { shape: "uuid", ...given };
  return (operation.identity ?? []).includes(made.name) ? null : made;
}

function derive(vector, secret) {
  let operation = vector.operation;
  if (operation.status === "proposed") operation = { ...operation, identity: [], scope: undefined, key: undefined, reference: undefined };
  const { call, generation } = vector;
  const key = place(operation), ref = reference(operation);
  const form = (operation.content ?? "").startsWith("application/x-www-form-urlencoded");
  let body = "body" in vector ? parse(vector.body) : MISSING;
  if (form) {
    const text = (one) => (one instanceof Num ? one.text : String(one));
    body = new Map([...body].map(([name, one]) => [name, Array.isArray(one) ? one.map(text) : text(one)]));
  }
  const query = new Map(Object.entries(vector.query).map(([name, value]) => [name, texts(value)]));
  const header = new Map();
  for (const [name, value] of Object.entries(vector.header)) {
    const declared = (operation.header ?? []).find((one) => one.toLowerCase() === name.toLowerCase());
    if (declared) header.set(declared, String(value));
  }
  if (key?.in === "query") query.delete(key.name);
  if (key?.in === "header") header.delete(key.name);
  if (key?.in === "field" && body !== MISSING) body = without(body, field(key.name).steps);
  if (ref && body !== MISSING) body = without(body, field(ref.name).steps);

  const parts = {};
  let scope = "call";
  if (operation.identity?.length) {
    scope = "identity";
    for (const named of operation.identity.map(field)) {
      const from = named.place === "query" ? query : new Map([...header].map(([name, one]) => [name.toLowerCase(), one]));
      const step = named.place === "header" ? named.steps[0].toLowerCase() : named.steps[0];
      const value = named.place === "body" ? get(body, named.steps) : from.has(step) ? from.get(step) : MISSING;
      if (!named.optional && missing(value)) throw new Refused(`no ${named.name}`);
      parts[named.name] = tagged(value);
    }
  } else if (operation.scope === "arguments") {
    scope = "arguments";
    Object.assign(parts, { session: tagged(call.session), query: tagged(query), header: tagged(header), body: tagged(body) });
  } else {
    Object.assign(parts, { session: tagged(call.session), turn: tagged(call.turn), ordinal: tagged(call.ordinal) });
  }
  const url = fillUrl(operation.url, vector.variables);
  const material = (at, element) => canonical({
    v: 1, workspace: call.workspace, method: operation.method, url, scope, generation: at, parts,
    ...(element ? { element } : {}),
  });
  const digest = hmac(secret, material(generation));

  const filler = (shape) => {
    const before = new Map();
    return (element) => {
      if (element === MISSING) return keyText(shape, digest);
      const value = tagged(element), name = canonical(value), occurrence = before.get(name) ?? 0;
      before.set(name, occurrence + 1);
      return keyText(shape, hmac(secret, material(generation, { value, occurrence })));
    };
  };
  const put = (name, shape) => {
    const { steps } = field(name);
    if (body === MISSING && steps.includes(null)) return;
    body = set(body === MISSING ? new Map() : body, steps, filler(shape), MISSING);
  };
  if (ref) put(ref.name, ref.shape);
  if (key?.in === "field") put(key.name, key.shape);
  const sent = key && key.in !== "field" ? (key.quoted ? `"${keyText(key.shape, digest)}"` : keyText(key.shape, digest)) : null;
  if (key?.in === "header") header.set(key.name, sent);
  if (key?.in === "query") query.set(key.name, sent);
  return {
    url, material: material(generation), address: hmac(secret, material(0)).toString("hex"), digest: digest.toString("hex"),
    keys: Object.fromEntries(["uuid", "uuid4", "hex32", "hex64"].map((shape) => [shape, keyText(shape, digest)])),
    fingerprint: hmac(secret, canonical(tagged(new Map([["query", query], ["header", header], ["body", body]])))).toString("hex"),
    body, form, header, query,
  };
}

function differences(vector, secret) {
  let made;
  try {
    made = derive(vector, secret);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return vector.refused ? [] : [`is refused: ${error.message}`];
  }
  if (vector.refused) return ["is not refused"];
  const wrong = [];
  const expected = vector.expected;
  for (const name of ["url", "material", "address", "digest", "fingerprint"]) {
    if (made[name] !== expected[name]) wrong.push(`${name} is ${made[name]}, not ${expected[name]}`);
  }
  for (const [shape, text] of Object.entries(made.keys)) {
    if (text !== expected.keys[shape]) wrong.push(`${shape} is ${text}, not ${expected.keys[shape]}`);
  }
  const body = expected.sent.body;
  if ((body === null) !== (made.body === MISSING)) wrong.push("a body is sent, or none, and should not");
  else if (body !== null && !made.form && canonical(tagged(parse(body))) !== canonical(tagged(made.body))) wrong.push("another body is sent");
  else if (made.form) {
    const pairs = [...made.body].flatMap(([name, one]) => [one].flat().map((text) => [name, text]));
    if (new URLSearchParams(pairs).toString() !== body) wrong.push("another form is sent");
  }
  for (const [name, text] of made.header) if (expected.sent.headers[name] !== text) wrong.push(`the header ${name} is not ${text}`);
  const asked = [...made.query].flatMap(([name, one]) => [one].flat().map((text) => `${escaped(name)}=${escaped(text)}`));
  const [base, fragment] = made.url.split("#");
  const joint = asked.length ? (base.includes("?") ? "&" : "?") : "";
  const whole = `${base}${joint}${asked.join("&")}${fragment === undefined ? "" : `#${fragment}`}`;
  if (whole !== expected.sent.url) wrong.push(`the URL is ${whole}, not ${expected.sent.url}`);
  return wrong;
}

const file = process.argv[2] ?? new URL("../../schemas/key-vectors.json", import.meta.url);
const whole = JSON.parse(readFileSync(file, "utf8"));
let wrong = 0;
for (const vector of whole.vectors) {
  for (const said of differences(vector, whole.secrets[vector.secret])) {
    wrong++;
    console.log(`${vector.name}: ${said}`);
  }
}
console.log(`${whole.vectors.length} vectors, ${wrong} differences`);
process.exit(wrong ? 1 : 0);
