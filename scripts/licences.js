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
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILES.test(file))
    .sort()
  if (files.length === 0) throw new Error(`${name} has no file with its licence`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'see below'})`, texts.join('\n\n')]
}
