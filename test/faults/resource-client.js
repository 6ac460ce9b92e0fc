import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** A client of the fenced resource: requests and answers are lines of JSON, in order. */
export class Resource {
  #address
  #socket = null
  #waiting = []

  constructor(address) {
    this.#address = address
  }

  ask(request) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#connection().write(`${JSON.stringify(request)}\n`)
    })
  }

  #connection() {
    if (this.#socket !== null) return this.#socket
    const socket = connect(this.#address)
    this.#socket = socket
    socket.setNoDelay(true)
    createInterface({ input: socket })
      .on('line', (line) => this.#waiting.shift()?.resolve(JSON.parse(line)))
      .on('error', () => {})
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#socket = null
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('no resource'))
    })
    return socket
  }
}
