import { Fragment } from 'react'
import { readMarkdown, type Block, type Span } from '@choiros/core/everywhere/markdown.ts'

/** Words of an agent, with the few forms of Markdown that models use. Nothing in them is ever read as HTML. */
export function Markdown({ text }: { text: string }) {
  const blocks = readMarkdown(text)
  const [only] = blocks
  // One plain sentence needs no paragraph around it.
  if (blocks.length === 1 && only?.kind === 'paragraph') return <Spans of={only.spans} />
  return <div className="markdown">{blocks.map((block, index) => blockOf(block, index))}</div>
}

function blockOf(block: Block, key: number) {
  switch (block.kind) {
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Spans of={item} />
        </li>
      ))
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>
    }
    case 'heading':
      return (
        <p key={key}>
          <strong>
            <Spans of={block.spans} />
          </strong>
        </p>
      )
    case 'quote':
      return (
        <blockquote key={key}>
          <Spans of={block.spans} />
        </blockquote>
      )
    case 'paragraph':
      return (
        <p key={key}>
          <Spans of={block.spans} />
        </p>
      )
  }
}

function Spans({ of }: { of: readonly Span[] }) {
  return of.map((span, index) => <Fragment key={index}>{spanOf(span)}</Fragment>)
}

function spanOf(span: Span) {
  switch (span.kind) {
    case 'strong':
      return <strong>{span.text}</strong>
    case 'emphasis':
      return <em>{span.text}</em>
    case 'code':
      return <code>{span.text}</code>
    case 'link':
      return <a href={span.address}>{span.text}</a>
    case 'text':
      return span.text
  }
}
