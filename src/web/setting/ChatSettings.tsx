import { Link } from '@inertiajs/react'
import { UserRound } from 'lucide-react'
import { usePageUrl } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { settingText } from '../text/setting.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ChatSettingForm } from './ChatSettingForm.tsx'
import { useChatSetting } from './chatSetting.ts'

/** The section of the settings about conversations, in each of its states. */
export function ChatSettings() {
  const user = useUser()
  const url = usePageUrl()
  const { data, error, refetch } = useChatSetting(user !== null)
  if (!user) {
    const login = (
      <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary' })}>
        {settingText.login}
      </Link>
    )
    return (
      <EmptyState
        icon={<UserRound size={28} />}
        title={settingText.signIn}
        description={settingText.signInHint}
        action={login}
      />
    )
  }
  return (
    <section className="max-w-2xl">
      <h2 className="text-base font-semibold">{settingText.chat}</h2>
      <p className="mt-1.5 text-pretty text-ink2">{settingText.chatHint}</p>
      {error ? (
        <EmptyState
          title={settingText.failed}
          description={error.message}
          action={<Button onClick={() => void refetch()}>{settingText.retry}</Button>}
        />
      ) : data ? (
        <ChatSettingForm initial={data} />
      ) : (
        <div className="mt-5 flex flex-col gap-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
        </div>
      )}
    </section>
  )
}
