CREATE TABLE "block_pieces" (
	"block_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"text" text NOT NULL,
	"place" jsonb NOT NULL,
	CONSTRAINT "block_pieces_block_id_n_pk" PRIMARY KEY("block_id","n")
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"name" text NOT NULL,
	"link" text,
	"status" integer DEFAULT 0 NOT NULL,
	"code" text,
	"task_id" uuid NOT NULL,
	"format" text,
	"report" jsonb,
	"pieces" integer DEFAULT 0 NOT NULL,
	"chars" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"md5" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"key" text NOT NULL,
	"channel" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"code" text,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"done_at_start" integer DEFAULT 0 NOT NULL,
	"cost" bigint DEFAULT 0 NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"execution_id" uuid,
	"seen_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "block_pieces" ADD CONSTRAINT "block_pieces_block_id_blocks_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."blocks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "blocks_file" ON "blocks" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "blocks_recent" ON "blocks" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "files_content" ON "files" USING btree ("user_id","channel","md5");--> statement-breakpoint
CREATE INDEX "files_key" ON "files" USING btree ("key");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("user_id","created_at") WHERE "tasks"."state" IN ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "tasks_user" ON "tasks" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "tasks_execution" ON "tasks" USING btree ("execution_id") WHERE "tasks"."execution_id" IS NOT NULL;