import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LICENCE_FILES = /^(licen[cs]e|copying|notice|third-?party-?notice)/i

/** The licences of the packages that these modules belong to, as one text. */
export function licencesOf(modules) {
  const folders = new Set(modules.map(packageFolder))
  const texts = new Map([...folders].map(licenceOf))
  const names = [...texts.keys()].sort()
  const parts = names.map((name) => `${'='.repeat(72)}\n${name}\n\n${texts.get(name)}\n`)
  return `Conclave contains code and fonts of these packages:\n\n${names.join('\n')}\n\n${parts.join('\n')}`
}

/** The folder of the package that a module is part of; inner package.json files have no name. */
function packageFolder(module) {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version) return folder
  }
  throw new Error(`${module} is in no package`)
}

function licenceOf(folder) {
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = facts
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILES.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) texts.push(namedLicence(folder, facts))
  return [`${name} ${version} (${license ?? 'see below'})`, texts.join('\n\n')]
}

/** What a package without a file of its licence says in its place: the name of one, and an author. */
function namedLicence(folder, { name, license, author }) {
  const [, section] =
    /^## Licen[cs]e\s+([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readmeOf(folder)) ?? []
  const holder = typeof author === 'string' ? author : author?.name
  if (license === undefined || holder === undefined)
    throw new Error(`${name} does not say whose it is under which licence`)
  return [`Author: ${holder}`, section?.trim() ?? `Licence: ${license}`].join('\n')
}

function readmeOf(folder) {
  const path = join(folder, 'README.md')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
