CREATE TABLE "prompts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"desc" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_messages" (
	"share_id" text NOT NULL,
	"nth" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"content_type" text NOT NULL,
	"chat_model" text NOT NULL,
	"search" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "share_messages_share_id_nth_pk" PRIMARY KEY("share_id","nth")
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sess_id" uuid NOT NULL,
	"title" text NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chat_messages" ADD COLUMN "search" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "chat_setting" jsonb DEFAULT '{"enabled":false,"self_intro":"","reply_style":""}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_messages" ADD CONSTRAINT "share_messages_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_messages" ADD CONSTRAINT "share_messages_message_id_chat_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."chat_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_sess_id_chat_sessions_id_fk" FOREIGN KEY ("sess_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompts_owner" ON "prompts" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "share_messages_message" ON "share_messages" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_same" ON "shares" USING btree ("user_id","sess_id","digest");--> statement-breakpoint
CREATE INDEX "shares_recent" ON "shares" USING btree ("user_id","created_at");