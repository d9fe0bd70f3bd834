CREATE TABLE "auth_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"target" text NOT NULL,
	"code_hash" text NOT NULL,
	"client_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "login_codes_tries" CHECK ("login_codes"."tries" BETWEEN 0 AND 5)
);
--> statement-breakpoint
CREATE TABLE "chat_current" (
	"user_id" uuid NOT NULL,
	"chatbot" text NOT NULL,
	"sess_id" uuid NOT NULL,
	CONSTRAINT "chat_current_user_id_chatbot_pk" PRIMARY KEY("user_id","chatbot")
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sess_id" uuid NOT NULL,
	"chat_id" uuid NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"content_type" text NOT NULL,
	"model" text NOT NULL,
	"chat_model" text NOT NULL,
	"stream" boolean NOT NULL,
	"status" text NOT NULL,
	"error_code" text,
	"run_id" uuid,
	"tools" jsonb NOT NULL,
	"block" text,
	"replaced_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"chatbot" text NOT NULL,
	"title" text NOT NULL,
	"model" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guest_turns" (
	"day" text NOT NULL,
	"key" text NOT NULL,
	"turns" integer NOT NULL,
	CONSTRAINT "guest_turns_day_key_pk" PRIMARY KEY("day","key")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"house" text,
	"balance" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "ledger_accounts_house_unique" UNIQUE("house"),
	CONSTRAINT "ledger_accounts_owner" CHECK (("ledger_accounts"."user_id" IS NULL) <> ("ledger_accounts"."house" IS NULL)),
	CONSTRAINT "ledger_accounts_funds" CHECK ("ledger_accounts"."balance" >= 0 AND "ledger_accounts"."held" >= 0 AND "ledger_accounts"."held" <= "ledger_accounts"."balance")
);
--> statement-breakpoint
CREATE TABLE "ledger_bills" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"computed" bigint NOT NULL,
	"model" text NOT NULL,
	"platform" text NOT NULL,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"cached_tokens" integer NOT NULL,
	"cache_write_tokens" integer NOT NULL,
	"reasoning_tokens" integer NOT NULL,
	"usage_source" text NOT NULL,
	"flagged" text,
	"prices" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"spend_limit" bigint,
	"used" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_budgets_sound" CHECK ("ledger_budgets"."used" >= 0 AND "ledger_budgets"."held" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transfer_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"kind" text NOT NULL,
	"run_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_holds" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"budgets" jsonb NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "ledger_holds_amount" CHECK ("ledger_holds"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "run_attempts" (
	"run_id" uuid NOT NULL,
	"nth" integer NOT NULL,
	"platform" text NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"reason" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"first_content_ms" integer,
	"ms" integer NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "run_attempts_run_id_nth_pk" PRIMARY KEY("run_id","nth")
);
--> statement-breakpoint
CREATE TABLE "run_chunks" (
	"run_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"text" text NOT NULL,
	"replace" boolean NOT NULL,
	CONSTRAINT "run_chunks_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
CREATE TABLE "run_hosts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_requests" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"subject_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_requests_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"model" text NOT NULL,
	"platform" text NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"input_tokens" integer NOT NULL,
	"prices" jsonb NOT NULL,
	"plan" jsonb NOT NULL,
	"host_id" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"first_text_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"guest" boolean NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"avatar" text DEFAULT '' NOT NULL,
	"level" text DEFAULT 'pro-0' NOT NULL,
	"model" text,
	"provider_sort" text DEFAULT 'default' NOT NULL,
	"voice_reply" boolean DEFAULT false NOT NULL,
	"invite_code" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_invite_code_unique" UNIQUE("invite_code")
);
--> statement-breakpoint
ALTER TABLE "auth_sessions" ADD CONSTRAINT "auth_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_current" ADD CONSTRAINT "chat_current_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_current" ADD CONSTRAINT "chat_current_sess_id_chat_sessions_id_fk" FOREIGN KEY ("sess_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_sess_id_chat_sessions_id_fk" FOREIGN KEY ("sess_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_bills" ADD CONSTRAINT "ledger_bills_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_holds" ADD CONSTRAINT "ledger_holds_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auth_sessions_user" ON "auth_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_sessions_expiry" ON "auth_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "login_codes_target" ON "login_codes" USING btree ("channel","target","created_at");--> statement-breakpoint
CREATE INDEX "login_codes_client" ON "login_codes" USING btree ("client_hash","created_at");--> statement-breakpoint
CREATE INDEX "chat_messages_session" ON "chat_messages" USING btree ("sess_id","chat_id","id");--> statement-breakpoint
CREATE INDEX "chat_messages_turn" ON "chat_messages" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "chat_messages_run" ON "chat_messages" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "chat_sessions_recent" ON "chat_sessions" USING btree ("user_id","chatbot","updated_at");--> statement-breakpoint
CREATE INDEX "ledger_bills_account" ON "ledger_bills" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "ledger_holds_open" ON "ledger_holds" USING btree ("account_id") WHERE "ledger_holds"."state" = 'held';--> statement-breakpoint
CREATE INDEX "runs_subject" ON "runs" USING btree ("subject_id","id");--> statement-breakpoint
CREATE INDEX "runs_running" ON "runs" USING btree ("host_id") WHERE "runs"."state" = 'running';