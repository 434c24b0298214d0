package io.idem.workshop.chaos;

import io.idem.IdempotencyKey;
import io.idem.servers.RunningRedis;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.TracedScripts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/** Calls of the scripts that log, on the record of one key at a real Redis. */
record ScriptCalls(RunningRedis redis, Path directory, String key, String scope) {

    private static final String LEASE = "600000";
    private static final String RETENTION = "1200000";
    private static final String NO_FINGERPRINT = "\0".repeat(16);

    /** Owner tokens have twelve bytes. */
    void acquire(String owner) throws IOException {
        call("acquire", LEASE, RETENTION, "0", owner + NO_FINGERPRINT);
    }

    void fail(String owner, String fence) throws IOException {
        call("fail", owner, fence, "0", RETENTION, LEASE, "1");
    }

    void reject(String owner, String fence) throws IOException {
        call("reject", owner, fence, RETENTION, "no", LEASE);
    }

    void renew(String owner, String fence) throws IOException {
        call("renew", owner, fence, LEASE, RETENTION);
    }

    String fence() {
        return redis.command(
                "EVAL",
                "return string.format('%d', (struct.unpack('>I7', redis.call('GET', KEYS[1]), 4)))",
                "1",
                name());
    }

    private void call(String script, String... arguments) throws IOException {
        String[] words = new String[4 + arguments.length];
        words[0] = "EVAL";
        words[1] = text(script);
        words[2] = "1";
        words[3] = name();
        System.arraycopy(arguments, 0, words, 4, arguments.length);
        redis.command(words);
    }

    private String name() {
        return "idem:{" + IdempotencyKey.of(key).id() + "}:" + scope;
    }

    private String text(String script) throws IOException {
        String argument = TracedScripts.write(Flaw.NONE, directory).get(0);
        try (ZipFile jar = new ZipFile(argument.substring(argument.indexOf(':') + 1))) {
            return new String(
                    jar.getInputStream(jar.getEntry("META-INF/idem/lua/" + script + ".lua"))
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
