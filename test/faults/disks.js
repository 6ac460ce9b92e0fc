/*
 * Disks that fail: a small file system of its own for the storage of each member. Needs root.
 * Whatever is mounted here is thawed and unmounted at the end.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const run = (program, ...args) => execFileSync(program, args, { stdio: 'pipe' })

/** Why this machine cannot mount such a disk; null if it can. */
export function missingForDisks(...programs) {
  if (process.getuid?.() !== 0) return 'root is needed'
  for (const program of ['mount', ...programs])
    try {
      run(program, '-V')
    } catch (error) {
      if (error.code === 'ENOENT') return `${program} is missing`
    }
  return null
}

/** One file system for each folder; `freezable`: on a loop device, otherwise in memory. */
export class Disks {
  #mounted = []
  #frozen = null

  constructor(folders, freezable) {
    try {
      for (const folder of folders) this.#mount(folder, freezable)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Writes wait until it is thawed. Not even SIGKILL ends a process that waits. */
  freeze(folder) {
    run('fsfreeze', '--freeze', folder)
    this.#frozen = folder
  }

  thaw() {
    if (this.#frozen !== null) run('fsfreeze', '--unfreeze', this.#frozen)
    this.#frozen = null
  }

  /** Nothing can be appended any more. */
  fill(folder) {
    for (let size = 1 << 16; size >= 1; size >>= 1)
      for (let i = 0; ; i++)
        try {
          writeFileSync(join(folder, `filler-${size}-${i}`), new Uint8Array(size))
        } catch {
          break
        }
  }

  /** Removes what filled it. */
  empty(folder) {
    for (const name of readdirSync(folder))
      if (name.startsWith('filler-')) rmSync(join(folder, name))
  }

  close() {
    this.thaw()
    // Detached from the tree at once, and gone as soon as no process uses them.
    for (const folder of this.#mounted.splice(0)) run('umount', '--lazy', folder)
  }

  #mount(folder, freezable) {
    mkdirSync(folder, { recursive: true })
    if (freezable) {
      const image = `${folder}.image`
      writeFileSync(image, '')
      truncateSync(image, 8 << 20)
      run('mkfs.ext4', '-q', '-F', image)
      run('mount', '-o', 'loop', image, folder)
    } else run('mount', '-t', 'tmpfs', '-o', 'size=256k', 'conclave-faults', folder)
    this.#mounted.push(folder)
  }
}
