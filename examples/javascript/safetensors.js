// SPDX-License-Identifier: MIT
// Messages between attngrade and a Node program: one safetensors image each,
// read from stdin and written to stdout (docs/commands.md). No packages.
'use strict';

const fs = require('fs');

const readers = {
  F64: (bytes, at) => bytes.readDoubleLE(at),
  BOOL: (bytes, at) => bytes[at],
};
const sizes = { F64: 8, BOOL: 1 };

// Exactly `count` bytes, or null at the end of the input.
function take(count) {
  const bytes = Buffer.alloc(count);
  let filled = 0;
  while (filled < count) {
    const more = fs.readSync(0, bytes, filled, count - filled, null);
    if (more === 0) return null;
    filled += more;
  }
  return bytes;
}

// {metadata, tensors: {q: {shape, data}, ...}}, or null after the last one. The
// length of the message follows from its header: input stays open in between.
function readMessage() {
  const length = take(8);
  if (length === null) return null;
  const header = JSON.parse(take(Number(length.readBigUInt64LE())).toString());
  const metadata = header.__metadata__ ?? {};
  delete header.__metadata__;
  const ends = Object.values(header).map((entry) => entry.data_offsets[1]);
  const bytes = take(Math.max(0, ...ends));
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(header)) {
    const data = new Float64Array((end - begin) / sizes[dtype]);
    for (let i = 0; i < data.length; i++) data[i] = readers[dtype](bytes, begin + i * sizes[dtype]);
    tensors[name] = { shape, data };
  }
  return { metadata, tensors };
}

function writeAll(bytes) {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(1, bytes, done);
}

// Float64Arrays are little-endian already on the machines that Node runs on.
function writeMessage(tensors, metadata = {}) {
  const header = { __metadata__: metadata };
  let end = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: 'F64', shape, data_offsets: [end, (end += data.byteLength)] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const data = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer));
  writeAll(Buffer.concat([length, text, ...data]));
}

// Answers each request with what `call` returns; what it throws is an error of
// that call. Print with console.error: stdout belongs to the answers.
function serve(call) {
  for (let request = readMessage(); request !== null; request = readMessage()) {
    try {
      writeMessage(call(request.tensors, request.metadata));
    } catch (error) {
      writeMessage({}, { error: String(error.stack) });
    }
  }
}

module.exports = { serve };
