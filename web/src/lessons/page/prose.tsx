import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { Formula } from '../../formula/formula.tsx'

const FORMULA = /\$([^$\n]+)\$/
const LESSON = /^(?:\.\/)?(?:[a-z]{2}\/)?\d\d-([a-z0-9-]+)\.md(?:#.*)?$/
const HEADINGS = ['h2', 'h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** Markdown as elements. Nothing in it is taken for HTML: tags are shown as text. */
export function Prose({ markdown }: { readonly markdown: string }) {
  const tokens = useMemo(() => lexer(markdown), [markdown])
  return <>{blocks(tokens)}</>
}

/** Markdown of one paragraph, without its element. */
export function Inline({ markdown }: { readonly markdown: string }) {
  const tokens = useMemo(() => lexer(markdown), [markdown])
  return (
    <>
      {tokens.map((token, i) => (
        <span key={i}>{'tokens' in token ? inline(token.tokens ?? []) : token.raw}</span>
      ))}
    </>
  )
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, i) => <Block key={i} token={token as Tokens.Generic} />)
}

function Block({ token }: { readonly token: Tokens.Generic }) {
  const inner = () => inline(token.tokens ?? [])
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const Heading = HEADINGS[token.depth]
      return <Heading>{inner()}</Heading>
    }
    case 'paragraph':
      return <p>{inner()}</p>
    case 'text':
      return <>{token.tokens ? inner() : token.text}</>
    case 'list': {
      const items = (token as Tokens.List).items.map((item, i) => (
        <li key={i}>{blocks(item.tokens)}</li>
      ))
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>
    }
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    default:
      return <p>{token.raw}</p>
  }
}

function Table({ table }: { readonly table: Tokens.Table }) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, i) => (
              <th key={i} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, i) => <Part key={i} token={token as Tokens.Generic} />)
}

function Part({ token }: { readonly token: Tokens.Generic }) {
  const inner = () => inline(token.tokens ?? [])
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'escape':
      return <>{token.text}</>
    case 'link': {
      const href = safeAddress(String(token.href))
      return <Linked href={href}>{inner()}</Linked>
    }
    case 'text':
      return <span>{token.tokens ? inner() : withFormulas(decoded(token.text))}</span>
    default:
      return <>{token.raw}</>
  }
}

function Linked(props: { readonly href: string | null; readonly children: ComponentChildren }) {
  const { href, children } = props
  return href === null ? <span>{children}</span> : <a href={href}>{children}</a>
}

/** Addresses of other lessons lead to them here; other files of docs are not in the page. */
function safeAddress(href: string): string | null {
  const [, slug] = LESSON.exec(href) ?? []
  if (slug !== undefined) return `#lesson=${slug}`
  return /^(https?:|mailto:|#)/.test(href) ? href : null
}

function withFormulas(text: string): ComponentChildren {
  return text
    .split(FORMULA)
    .map((part, i) => (i % 2 === 0 ? part : <Formula key={i} text={part} />))
}

/** The library escapes some characters for HTML, which this is not. */
function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
