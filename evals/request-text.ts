/** What a client of OpenAI's wire sends, as far as a reader needs it. */
export interface ChatRequest {
  readonly stream?: boolean
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly function: ChatTool }[]
}

interface ChatTool {
  readonly name: string
  readonly description?: string
  readonly parameters?: unknown
}

interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly ChatPart[] | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
}

interface ChatPart {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

interface RequestText {
  readonly who: string
  readonly text: string
  readonly pictures: readonly Buffer[]
}

/** A request as a text for a reader: who asks, the tools the first time, and what was not shown before. */
export function requestText(name: string, { messages, tools = [] }: ChatRequest, before: number): RequestText {
  const names = tools.map((tool) => tool.function.name)
  const who = names.includes('look')
    ? 'the Director'
    : names.includes('verdict')
      ? 'a reviewer'
      : names.length > 0
        ? 'an Associate'
        : 'somebody without tools'
  const pictures: Buffer[] = []
  const shown = messages.slice(before).map((message) => messageText(message, pictures, name))
  const head = `# ${name}: ${who} asks\n\n${messages.length} messages, ${before} of them shown before. Answer in ${name}-answer.md or ${name}-answer.json.`
  const offered = before === 0 && tools.length > 0 ? [`## Tools\n\n${tools.map(toolText).join('\n\n')}`] : []
  return { who, text: `${[head, ...offered, ...shown].join('\n\n')}\n`, pictures }
}

function toolText({ function: { name, description = '', parameters } }: { readonly function: ChatTool }): string {
  return `### ${name}\n\n${description}\n\n\`\`\`json\n${JSON.stringify(parameters ?? {}, null, 2)}\n\`\`\``
}

function messageText(message: ChatMessage, pictures: Buffer[], name: string): string {
  const { role, content = '', tool_call_id: of, tool_calls: calls = [] } = message
  const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const said = parts.map((part) => partText(part, pictures, name)).filter((text) => text !== '')
  const used = calls.map(
    ({ id, function: { name: tool, arguments: input } }) =>
      `uses **${tool}** (${id}):\n\n\`\`\`json\n${pretty(input)}\n\`\`\``,
  )
  return [`## ${role}${of === undefined ? '' : ` (${of})`}`, ...said, ...used].join('\n\n')
}

function partText({ type, text = '', image_url: image }: ChatPart, pictures: Buffer[], name: string): string {
  if (image === undefined) return text === '' && type !== 'text' ? `(${type})` : text
  const data = /^data:image\/\w+;base64,(.*)$/s.exec(image.url)?.[1]
  if (data === undefined) return `(a picture at ${image.url.slice(0, 200)})`
  return `![a picture](${name}-picture-${pictures.push(Buffer.from(data, 'base64'))}.png)`
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
