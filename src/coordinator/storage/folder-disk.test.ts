import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderDisk, memoryDisk } from './folder-disk.ts'
import { lockFolder } from './folder-lock.ts'
import { Journal } from './journal.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conclave-disk-'))
})
afterEach(() => rm(folder, { recursive: true }))

const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes)
const bytes = (written: string) => new TextEncoder().encode(written)
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

const DISKS = {
  folder: () => folderDisk(join(folder, 'deep', 'state')),
  memory: async () => memoryDisk(),
}

describe.each(Object.keys(DISKS) as (keyof typeof DISKS)[])('a disk of kind %s', (kind) => {
  it('appends, cuts off, replaces and removes', async () => {
    const disk = await DISKS[kind]()
    expect(await disk.read('a')).toBe(null)
    await disk.append('a', bytes('one'))
    await disk.append('a', bytes('two'))
    await disk.sync('a')
    expect(text(await disk.read('a'))).toBe('onetwo')
    await disk.truncate('a', 4)
    await disk.append('a', bytes('!'))
    expect(text(await disk.read('a'))).toBe('onet!')
    await disk.append('b', bytes('new'))
    await disk.sync('b')
    await disk.replace('b', 'a')
    await disk.append('a', bytes('er'))
    expect(text(await disk.read('a'))).toBe('newer')
    expect(await disk.read('b')).toBe(null)
    await disk.remove('a')
    await disk.remove('a')
    expect(await disk.read('a')).toBe(null)
    await disk.close()
  })
})

describe('a folder', () => {
  it('is readable for its owner only, and so are its files', async () => {
    const path = join(folder, 'state')
    const disk = await folderDisk(path)
    await disk.append('journal', bytes('x'))
    expect(await modeOf(path)).toBe(0o700)
    expect(await modeOf(join(path, 'journal'))).toBe(0o600)
    await disk.close()
  })

  it('is made although others make its parents at the same time', async () => {
    const paths = Array.from({ length: 40 }, (_, i) => join(folder, `deep${i % 4}`, 'er', `m${i}`))
    const disks = await Promise.all(paths.map((path) => folderDisk(path)))
    for (const disk of disks) await disk.close()
  })

  it('holds what was put after the process was killed', async () => {
    const identity = { cluster: 'billing', member: 'a' }
    const disk = await folderDisk(folder)
    await (await Journal.open(disk, identity)).put('role/x', bytes('promise'))
    await disk.close()
    const again = await folderDisk(folder)
    const journal = await Journal.open(again, identity)
    expect([journal.lost, text(journal.get('role/x')!)]).toEqual([null, 'promise'])
    await again.close()
  })

  it('names the file that cannot be used', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(folderDisk(file)).rejects.toThrow(`${file}: the folder cannot be used`)
    await expect(folderDisk(join(file, 'below'))).rejects.toThrow('the folder cannot be used')
    const disk = await folderDisk(join(folder, 'state'))
    await chmod(join(folder, 'state'), 0o700)
    await expect(disk.append('.', bytes('x'))).rejects.toThrow(join(folder, 'state'))
    await disk.close()
  })
})

describe('the lock of a folder', () => {
  it('has one owner, whoever else tries at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
      const locks = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(locks.length).toBe(1)
      await locks[0].release()
    }
    expect((await readdir(folder)).length).toBe(1)
  })

  it('is held while its process lives, also a stopped one, and free when killed', async () => {
    const contents = `
      import { lockFolder } from './folder-lock.ts'
      lockFolder(process.argv[2]).then(() => process.send('locked'))
      setInterval(() => {}, 1000)`
    const program = join(folder, 'locker.cjs')
    const stdin = { contents, resolveDir: import.meta.dirname }
    buildSync({ stdin, bundle: true, platform: 'node', outfile: program })
    const child = fork(program, [folder])
    await once(child, 'message')
    const refused = 'another process uses this folder'
    await expect(lockFolder(folder)).rejects.toThrow(refused)
    child.kill('SIGSTOP')
    await expect(lockFolder(folder)).rejects.toThrow(refused)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await lockFolder(folder)).release()
  })

  it('fits any depth of folders', async () => {
    const deep = join(folder, 'a'.repeat(100), 'b'.repeat(100))
    const disk = await folderDisk(deep)
    await expect(folderDisk(deep)).rejects.toThrow('another process uses this folder')
    await disk.close()
  })

  it.runIf(process.platform === 'linux')('is refused where none can be made', async () => {
    await expect(folderDisk('/proc/nothing/here')).rejects.toThrow('the folder cannot be used')
  })
})
