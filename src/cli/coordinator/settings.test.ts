import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { givenSettings } from './given-settings.ts'
import { checkedSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const FLAGS = {
  cluster: 'billing',
  me: 'a',
  members: 'a=127.0.0.1:7001,b=127.0.0.1:7002,c=127.0.0.1:7003',
  storage: 'state',
}

function fileWith(text: string): string {
  const path = join(folder, 'settings.json')
  writeFileSync(path, text)
  return path
}

const settingsOf = async (
  flags: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
  command: readonly string[] = [],
) => checkedSettings(givenSettings({ ...FLAGS, ...flags }, environment), command, false)

describe('settings of a coordinator', () => {
  it('have defaults', async () => {
    const { options, ...rest } = await settingsOf()
    expect(options).toEqual({
      cluster: 'billing',
      me: 'a',
      members: {
        a: { address: '127.0.0.1:7001', kind: 'voter' },
        b: { address: '127.0.0.1:7002', kind: 'voter' },
        c: { address: '127.0.0.1:7003', kind: 'voter' },
      },
      storage: 'state',
    })
    expect(rest).toEqual({
      lease: 1000,
      roles: {},
      command: [],
      grace: 250,
      onExit: 'resign',
      http: null,
      log: 'json',
      logLevel: 'info',
    })
  })

  it('come from flags before the environment before a file', async () => {
    const config = fileWith(`{
      // As a file may say it.
      "cluster": "of-file", "lease": "2s", "preempt": true, "role": ["cron"], "witness": "c",
      "members": { "a": "10.0.0.1:7001", "b": "10.0.0.2:7001", "c": "10.0.0.3:7001" },
      "storage": "state", "command": ["./cron.sh", "one,two"], "drift": 0.1, "insecure": true,
    }`)
    const given = givenSettings(
      { config, me: 'b', role: ['mail', 'log,cron'] },
      { CONCLAVE_CLUSTER: 'of-environment', CONCLAVE_ME: 'c', CONCLAVE_BOOTSTRAP: 'no' },
    )
    const { options, lease, roles, command } = await checkedSettings(given, [], false)
    expect(options).toMatchObject({ cluster: 'of-environment', me: 'b', lease: 2000, drift: 0.1 })
    expect(options).toMatchObject({ fast: false, insecure: true, bootstrap: false })
    expect(options.members).toMatchObject({ c: { address: '10.0.0.3:7001', kind: 'witness' } })
    expect({ lease, command }).toEqual({ lease: 2000, command: ['./cron.sh', 'one,two'] })
    expect(Object.keys(roles)).toEqual(['mail', 'log', 'cron'])
    expect(roles.mail.preempt).toBe(true)
  })

  it('keep a job on the safe side: no fast failover with a command', async () => {
    expect((await settingsOf({ role: 'cron' }, {}, ['./cron.sh'])).options.fast).toBe(false)
    expect((await settingsOf({ role: 'cron' })).options.fast).toBe(undefined)
    expect((await settingsOf({ fast: 'off' })).options.fast).toBe(false)
    expect((await settingsOf({ fast: 'connection' })).options.fast).toBe('connection')
    for (const fast of ['on', 'connection'])
      await expect(settingsOf({ role: 'cron', fast }, {}, ['./cron.sh'])).rejects.toThrow(
        /^--fast: the command may outlive this process/,
      )
  })

  it('take an election that proposes who leads', async () => {
    const { roles } = await settingsOf({ role: 'cron', nominate: 'ring-list', priority: '3' })
    expect(roles.cron.nominate?.name).toBe('ring-list')
    expect(roles.cron.priority?.()).toBe(3)
  })
})

describe('wrong settings are refused before anything starts', () => {
  it.each([
    [{ cluster: undefined }, {}, /^conclave coordinator: the option --cluster is required/],
    [{ members: undefined }, {}, /the option --members is required/],
    [{ members: 'a' }, {}, /^--members: "a" is not a name and an address/],
    [{ members: 'a=x:1,a=y:1' }, {}, /^--members: a is given twice/],
    [{ me: 'd' }, {}, /^--me: "d" is not among the members/],
    [{ storage: undefined }, {}, /^--storage: a member needs a folder/],
    [{ lease: '5' }, {}, /^--lease: "5" is not a duration/],
    [{ lease: '1ms' }, {}, /^--lease: /],
    [{}, { CONCLAVE_LEASE: 'long' }, /^CONCLAVE_LEASE: "long" is not a duration/],
    [{}, { CONCLAVE_BOOTSTRAP: 'perhaps' }, /^CONCLAVE_BOOTSTRAP: "perhaps" is neither/],
    [{ drift: 'x' }, {}, /^--drift: a number is needed/],
    [{ drift: '0.9' }, {}, /^--drift: a ratio from 0 to 0.5/],
    [{ http: 'here' }, {}, /^--http: "here" is not a host with a port/],
    [{ grace: '900ms' }, {}, /^--grace: of a lease of 1000 ms/],
    [{ onExit: 'explode' }, {}, /^--on-exit: one of resign, restart, exit is needed/],
    [{ logLevel: 'infos' }, {}, /^--log-level: .* Did you mean info\?/],
    [{ witness: 'd' }, {}, /^--witness: "d" is not among the members/],
    [{ role: 'no role' }, {}, /^--role: "no role" is not a name/],
    [{ nominate: 'buly' }, {}, /^--nominate: .*Did you mean bully\?/],
    [{ nominate: 'gossip-max' }, {}, /^--nominate: gossip-max elects nobody/],
    [{ nominate: 'lcr' }, {}, /^--nominate: lcr cannot propose a leader/],
    [{ secretFile: '/nowhere' }, {}, /^--secret-file: \/nowhere cannot be read/],
    [{ tls: '/nowhere' }, {}, /^--tls: \/nowhere\/ca.crt cannot be read/],
  ])('%o %o', async (flags, environment, says) => {
    await expect(settingsOf(flags, environment as Record<string, string>)).rejects.toThrow(says)
  })

  it('in a file', async () => {
    const of = (text: string) => settingsOf({ config: fileWith(text) })
    await expect(of('{ "leas": "1s" }')).rejects.toThrow('Did you mean lease?')
    await expect(of('{ "lease": true }')).rejects.toThrow('settings.json: lease: a text is needed')
    await expect(of('{ "bootstrap": "yes" }')).rejects.toThrow('true or false is needed')
    await expect(of('[1]')).rejects.toThrow('expected a JSON object')
  })

  it('with a command and no role', async () => {
    await expect(settingsOf({}, {}, ['./cron.sh'])).rejects.toThrow('a command needs a role')
  })

  it('with a secret that can be guessed', async () => {
    const secretFile = join(folder, 'secret')
    writeFileSync(secretFile, 'short\n')
    await expect(settingsOf({ secretFile })).rejects.toThrow(/^--secret-file: fewer than 16/)
  })
})
