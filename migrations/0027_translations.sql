CREATE TABLE "glossary_terms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"target_lang" text NOT NULL,
	"term" text NOT NULL,
	"translation" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "translation_memory" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"translation" text NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "translation_memory_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "translation_segments" (
	"task_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"text" text NOT NULL,
	"place" jsonb NOT NULL,
	"translation" text,
	"problem" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"run_id" uuid,
	CONSTRAINT "translation_segments_task_id_n_pk" PRIMARY KEY("task_id","n")
);
--> statement-breakpoint
CREATE TABLE "translations" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"block_id" uuid NOT NULL,
	"name" text NOT NULL,
	"model" text NOT NULL,
	"target_lang" text NOT NULL,
	"tone" text NOT NULL,
	"format" text,
	"kept" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_problems" jsonb,
	"unsaved_cost" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD CONSTRAINT "glossary_terms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_memory" ADD CONSTRAINT "translation_memory_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_segments" ADD CONSTRAINT "translation_segments_task_id_translations_task_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."translations"("task_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_block_id_blocks_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."blocks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "glossary_terms_own" ON "glossary_terms" USING btree ("user_id","target_lang",lower("term"));--> statement-breakpoint
CREATE INDEX "translation_memory_used" ON "translation_memory" USING btree ("user_id","used_at");--> statement-breakpoint
CREATE INDEX "translations_user" ON "translations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "translations_block" ON "translations" USING btree ("block_id");--> statement-breakpoint
CREATE INDEX "tasks_recent" ON "tasks" USING btree ("user_id","created_at");