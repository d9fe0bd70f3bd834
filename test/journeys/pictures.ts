import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readConfig } from '#server/core/config.ts'
import { openLog } from '#server/core/log.ts'
import { startServer } from '#server/start.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { scriptFor } from '../../bench/upstream/answers.ts'
import { openBrowser } from '../browser.ts'
import type { Look } from '../browser.ts'
import { openClient } from '../client.ts'
import { startUpstream } from '../upstream.ts'
import { answers, button, expect } from './chat-screen.ts'

// The pictures of docs/images, from the real app: node test/journeys/pictures.ts
const upstream = await startUpstream({ answer: scriptFor })
