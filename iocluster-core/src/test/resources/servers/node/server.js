// Echoes requests: node server.js PORT h1|h1s|h2 TLS-VERSION FOLDER FAULT. Logs each URL before its answer.
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const http2 = require('http2');
const https = require('https');

const [port, mode, version, folder, fault] = process.argv.slice(2);
const tls = mode === 'h1' ? {} : {
  cert: fs.readFileSync(folder + '/target.pem'),
  key: fs.readFileSync(folder + '/target.key'),
  minVersion: version,
  maxVersion: version,
};
const bodyLimit = fault === 'body-limit' ? 100_000 : Infinity;
let requests = 0;
let stopping = false;

function answer(request, response) {
  const stream = mode === 'h2' ? response.stream : null;
  if (fault === 'refused-streams' && ++requests % 10 === 0) {
    stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    return;
  }
  fs.writeSync(1, request.url + '\n');
  const query = new URL(request.url, 'http://target.example');
  const hash = crypto.createHash('sha256');
  let length = 0;
  if (query.pathname === '/deny') {
    respond(response, 401, 'denied\n');
    return;
  }
  if (Number(request.headers['content-length'] || 0) > bodyLimit) {
    respond(response, 413, 'too large\n');
    return;
  }
  request.on('data', part => {
    length += part.length;
    hash.update(part);
    if (query.pathname === '/slow') {
      request.pause();
      setTimeout(() => request.resume(), 5);
    }
  });
  request.on('end', () => {
    const text = `id=${query.searchParams.get('id')} length=${length} sha256=${hash.digest('hex')}\n`;
    respond(response, 200, text + 'x'.repeat(Number(query.searchParams.get('size'))) + '\nend\n');
  });
  request.on('error', () => {});
}

function respond(response, status, text) {
  response.on('error', () => {});
  const headers = {'content-length': Buffer.byteLength(text)};
  if (stopping && mode !== 'h2') {
    headers.connection = 'close';
  }
  response.writeHead(status, headers);
  response.end(text);
}

let server;
if (mode === 'h2') {
  server = http2.createSecureServer({
    ...tls,
    settings: {maxConcurrentStreams: fault === 'few-streams' ? 4 : 1000},
  });
  const sessions = new Set();
  server.on('session', session => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
    if (fault === 'keepalive-limit') {
      let streams = 0;
      session.on('stream', () => {
        if (++streams === 100) {
          session.close();
        }
      });
    }
    if (fault === 'short-idle') {
      session.setTimeout(1000, () => session.close());
    }
  });
  process.on('SIGTERM', () => {
    server.close(() => process.exit(0));
    sessions.forEach(session => session.close());
  });
} else {
  server = mode === 'h1' ? http.createServer() : https.createServer(tls);
  server.keepAliveTimeout = fault === 'short-idle' ? 1000 : fault === 'long-idle' ? 60_000 : 5000;
  if (fault === 'keepalive-limit') {
    server.maxRequestsPerSocket = 10;
  }
  process.on('SIGTERM', () => {
    stopping = true;
    server.close(() => process.exit(0));
  });
}
server.on('request', answer);
server.on('sessionError', () => {});
server.listen(Number(port), '127.0.0.1', 1024);
