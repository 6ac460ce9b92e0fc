export { catalogue } from './catalogue.ts'
export * from './elections.ts'
