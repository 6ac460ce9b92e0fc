/*
 * Attacks the port of a member for some time, without its secret or certificate. Arguments: host,
 * port, milliseconds, the kinds of attack (all where none is named), and files as JSON: `session`,
 * what a true member once sent to this one, and `foreign`, a certificate of another authority.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** TLS with a key that is not that of the members. */
const forgedKey = {
  minVersion: 'TLSv1.3',
  ciphers: 'TLS_AES_128_GCM_SHA256',
  pskCallback: () => ({ psk: randomBytes(32), identity: 'a member' }),
  checkServerIdentity: () => undefined,
}

const [host, port, duration, kinds = '', files = '{}'] = process.argv.slice(2)
const { session, foreign } = JSON.parse(files)
const end = Date.now() + Number(duration)
const recorded = session === undefined ? null : readFileSync(session)
const identity = foreign === undefined ? forgedKey : JSON.parse(readFileSync(foreign, 'utf8'))
const idle = new Set()
const noise = Buffer.alloc(1 << 20, 7)

function open(act) {
  const socket = connect({ host, port: Number(port) })
  socket.on('error', () => {})
  socket.on('connect', () => act(socket))
  socket.resume()
  return socket
}

function openTls(act) {
  const settings = { host, port: Number(port), rejectUnauthorized: false, ...identity }
  const socket = connectTls(settings, () => act(socket))
  socket.on('error', () => {})
  socket.resume()
}

const ATTACKS = {
  garbage() {
    open((socket) => socket.end(randomBytes(4096)))
    // A frame of 4 GiB is announced, and never comes.
    open((socket) => socket.write(Buffer.from([255, 255, 255, 255, 1])))
    open((socket) => socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
    open((socket) => socket.write(Buffer.from([0, 0, 1, 0, 0])))
  },
  idle() {
    if (idle.size >= 500) return
    const socket = open(() => {})
    idle.add(socket)
    socket.on('close', () => idle.delete(socket))
  },
  flood: () => open((socket) => socket.write(noise)),
  forged: () => openTls(() => {}),
  replay: () => recorded && open((socket) => socket.write(recorded)),
}

const chosen = Object.entries(ATTACKS).filter(([name]) => kinds === '' || kinds.includes(name))
setInterval(() => {
  if (Date.now() > end) process.exit(0)
  for (const [, attack] of chosen) attack()
}, 5)
