import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../../test/support/built-program.ts'
import { createAuthority, issueCertificate } from '../../../test/support/certificates.ts'
import { freeAddresses } from '../../../test/support/free-ports.ts'
import { expectUsageError, shell } from '../../../test/support/run-command.ts'
import { folderDisk } from '../../coordinator/storage/folder-disk.ts'
import { Journal } from '../../coordinator/storage/journal.ts'

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('conclave coordinator', () => {
  const names = ['a', 'b', 'c']
  const running = new Map<string, ChildProcess>()
  const errors = new Map<string, string>()
  let folder = ''
  let members = ''
  let job = ''
  let log = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conclave-coordinator-'))
    const addresses = await freeAddresses(3)
    members = names.map((name, i) => `${name}=${addresses[i]}`).join(',')
    job = join(folder, 'job.sh')
    log = join(folder, 'log')
    writeFileSync(log, '')
    writeFileSync(
      job,
      `echo $1 $CONCLAVE_TOKEN begins >> ${log}
      trap 'echo $1 $CONCLAVE_TOKEN ends >> ${log}; exit 0' TERM
      while :; do sleep 0.02; done`,
    )
  })
  afterAll(async () => {
    for (const child of running.values()) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  })

  function start(name: string, ...flags: string[]): ChildProcess {
    const words = ['coordinator', '--cluster', 'billing', '--me', name, '--members', members]
    const more = ['--storage', join(folder, name), '--lease', '600ms', '--role', 'cron']
    const child = spawn(process.execPath, [
      PROGRAM,
      ...words,
      ...more,
      ...flags,
      ...['--', 'sh', job, name],
    ])
    child.stderr?.on('data', (text) => errors.set(name, `${errors.get(name) ?? ''}${text}`))
    running.set(name, child)
    return child
  }

  const lines = () => readFileSync(log, 'utf8').trim().split('\n')
  const last = () => lines().at(-1)!.split(' ')
  const begun = (after: number) =>
    until(() => {
      const [name, token, what] = last()
      return what === 'begins' && Number(token) > after ? { name, token: Number(token) } : null
    })

  it('runs a command at one member at a time, with growing tokens', async () => {
    for (const name of names) start(name, '--bootstrap')
    const first = await begun(0)

    // Killed: its keeper ends the job, and another member leads.
    const killed = running.get(first.name)!
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const second = await begun(first.token)
    expect(second.name).not.toBe(first.name)

    // Asked to end: the job ends first, and the lease is released.
    start(first.name)
    const ended = running.get(second.name)!
    ended.kill('SIGTERM')
    expect(await once(ended, 'exit')).toEqual([0, null])
    const third = await begun(second.token)
    expect(third.name).not.toBe(second.name)

    // Stopped: its keeper ends the job by its own clock.
    start(second.name)
    const stopped = running.get(third.name)!
    await until(
      async () => (await shell('status', '--storage', join(folder, first.name))).code === 0,
    )
    stopped.kill('SIGSTOP')
    const fourth = await begun(third.token)
    expect(fourth.name).not.toBe(third.name)
    stopped.kill('SIGCONT')

    // Asked to resign through the control socket of whoever leads.
    const answers = await until(async () => {
      const words = (name: string) => ['resign', 'cron', '--storage', join(folder, name), '--json']
      const all = await Promise.all(names.map((name) => shell(...words(name))))
      return all.some(({ code }) => code === 0) ? all : null
    })
    const [released] = answers.filter(({ code }) => code === 0)
    expect(JSON.parse(released.out)).toEqual({ role: 'cron', released: true })
    const refused = answers.filter(({ code }) => code === 2).map(({ err }) => err)
    expect(refused[0]).toMatch(/^resign: this member does not lead cron\. .*\n$/)
    await begun(fourth.token)

    // Whatever came in between: no job has ended after a later one had begun.
    const tokens = lines().map((line) => Number(line.split(' ')[1]))
    expect(tokens).toEqual(tokens.toSorted((one, two) => one - two))
    const begins = lines().filter((line) => line.endsWith('begins'))
    expect(new Set(begins.map((line) => line.split(' ')[1])).size).toBe(begins.length)
    expect(lines()).toContain(`${second.name} ${second.token} ends`)
  })

  it('has a status that any member tells', async () => {
    const told = await until(async () => {
      for (const name of names) {
        const { code, out } = await shell('status', '--storage', join(folder, name), '--json')
        const status = code === 0 ? JSON.parse(out) : null
        if (status !== null && status.roles.cron.pid !== null) return { name, status }
      }
      return null
    })
    const { leader, term } = told.status
    expect(told.status).toMatchObject({
      name: 'billing',
      me: told.name,
      configuration: { voters: names },
      roles: { cron: { leader, term, pid: running.get(leader)!.pid } },
    })
    expect(names).toContain(leader)
  })

  it('refuses a second process with the same folder', async () => {
    const [name] = [...running].find(([, { exitCode }]) => exitCode === null)!
    const words = ['coordinator', '--cluster', 'billing', '--me', name, '--members', members]
    const storage = join(folder, name)
    await expectUsageError(
      [...words, '--storage', storage, '--log', 'off'],
      storage,
      'another process uses this folder',
    )
    const taken = members.split('=')[1].split(',')[0]
    await expectUsageError(
      [...words, '--storage', storage, '--log', 'off', '--http', taken],
      '--http',
      'another process listens there',
    )
  })
})

it('a member whose storage cannot be read does not start', async () => {
  const storage = await mkdtemp(join(tmpdir(), 'conclave-coordinator-'))
  mkdirSync(join(storage, 'journal'))
  const [address] = await freeAddresses(1)
  const words = ['coordinator', '--cluster', 'billing', '--me', 'a', '--members', `a=${address}`]
  const { code, err } = await shell(...words, '--storage', storage, '--log', 'off')
  expect([code, err]).toEqual([
    2,
    `${storage}: ${storage}/journal: EISDIR: illegal operation on a directory, read; mend it, then start again\n`,
  ])
  await rm(storage, { recursive: true })
})

it('a storage folder of another member, or of another cluster, is refused', async () => {
  const storage = await mkdtemp(join(tmpdir(), 'conclave-coordinator-'))
  const disk = await folderDisk(storage)
  await Journal.open(disk, { cluster: 'billing', member: 'a' })
  await disk.close()
  const [address] = await freeAddresses(1)
  const words = (cluster: string, me: string) => [
    ...['coordinator', '--cluster', cluster, '--me', me, '--members', `${me}=${address}`],
    ...['--storage', storage, '--log', 'json'],
  ]
  const belongs = 'it belongs to member a of cluster billing, not to'
  await expectUsageError(words('billing', 'b'), storage, `${belongs} b of billing`)
  await expectUsageError(words('shop', 'a'), storage, `${belongs} a of shop`)
  await rm(storage, { recursive: true })
})

it('a certificate of another member is refused before anything starts', async () => {
  const tls = await mkdtemp(join(tmpdir(), 'conclave-coordinator-'))
  const hour = 3_600_000
  const valid = { from: new Date(Date.now() - hour), until: new Date(Date.now() + hour) }
  const authority = createAuthority('billing', valid)
  const { cert, key } = issueCertificate(authority, 'a', valid)
  for (const [name, text] of Object.entries({
    'ca.crt': authority.cert,
    'b.crt': cert,
    'b.key': key,
  }))
    writeFileSync(join(tls, name), text)
  const words = ['coordinator', '--cluster', 'billing', '--me', 'b', '--members', 'b=10.0.0.1:7001']
  const storage = join(tls, 'storage')
  const says = 'the certificate is that of "a", not of b'
  await expectUsageError([...words, '--storage', storage, '--tls', tls], '--tls', says)
  expect(existsSync(storage)).toBe(false)
  await rm(tls, { recursive: true })
})

describe('wrong words', () => {
  const me = ['coordinator', '--cluster', 'billing', '--me', 'a', '--storage', 'x']
  const all = [...me, '--members', 'a=127.0.0.1:7001']

  it.each([
    [['coordinator'], 'conclave coordinator', '--cluster is required'],
    [[...all, '--lease', '--role'], 'conclave coordinator', '--lease needs a value'],
    [[...all, '--leese', '1s'], 'conclave coordinator', 'Did you mean --lease?'],
    [[...all, '--', 'sh', '--role'], '--role', 'a command needs a role'],
    [[...all, '--role', 'cron', './cron.sh'], 'conclave coordinator', '"./cron.sh" stands neither'],
    [[...all, 'x', '--role', 'y', '--', 'x'], 'conclave coordinator', '"x" stands neither behind'],
    [[...all, '--role', 'members'], '--role', 'every member has the role members'],
    [[...all, '--witness', 'a'], '--members', 'only witnesses would vote, and none of them leads.'],
    [[...me, '--members', 'a=x:1,b=x:1'], '--members', 'a and b have the same address, x:1.'],
    [[...me, '--members', 'a=10.0.0.1:7001'], '--tls', 'anybody who reaches 10.0.0.1:7001'],
    [[...all, '--listen', '0.0.0.0:7001'], '--tls', 'anybody who reaches 0.0.0.0:7001'],
    [['status'], 'conclave status', 'the address of a member is missing'],
    [['status', 'x'], 'address', 'is not a host with a port'],
    [['status', '127.0.0.1:1'], 'conclave status', 'nobody listens there'],
    [['status', '--storage', '/nowhere'], '/nowhere', 'no member runs with this storage folder'],
    [['resign', 'cron', '--storage', '/nowhere'], '/nowhere', 'no member runs'],
    [['resign', 'cron'], 'conclave resign', '--storage <folder> is required'],
  ])('%o', async (words, where, says) => {
    await expectUsageError(words, where, says)
  })
})
