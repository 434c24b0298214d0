package io.idem.workshop.chaos.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the library's scripts, which a JVM finds before the original ones: the script writes each transition of a
 * record into the log of its Redis. That log survives what the laboratory does to Redis and its data.
 */
public final class TracedScripts {

    /** Mark of the lines in the log of Redis; what follows is read by {@code Transition}. */
    public static final String MARK = "idem-trace ";

    /** For each script that is logged: how many records a call has, and owner and fence of record i. */
    private static final Map<String, String> TRACED = Map.of(
            "acquire",
            "#KEYS, function(i) return string.sub(ARGV[3 + i], 1, 12), 0 end",
            "complete",
            "#ARGV - 1, function(i) return string.sub(ARGV[1 + i], 8, 19), struct.unpack('>I7', ARGV[1 + i]) end",
            "fail",
            "#ARGV / 5, function(i) return ARGV[5 * i - 4], ARGV[5 * i - 3] end",
            "reject",
            "#ARGV / 5, function(i) return ARGV[5 * i - 4], ARGV[5 * i - 3] end",
            "renew",
            "#ARGV / 4, function(i) return ARGV[4 * i - 3], ARGV[4 * i - 2] end",
            "withdraw",
            "#KEYS, function(i) return string.sub(ARGV[2 * i - 1], 17, 28), struct.unpack('>I7', ARGV[2 * i - 1], 4) end");

    private static final String TRACING = """
            local traced_count, traced_who = $WHO
            local traced_stride = #KEYS / traced_count
            local function traced_record(i)
              local record = redis.pcall('GET', KEYS[(i - 1) * traced_stride + 1])
              if type(record) ~= 'string' or #record < 16 then
                return '0:0:0:0'
              end
              return string.format('%d:%d:%d:%d', struct.unpack('>BI2I7I6', record))
            end
            local traced_before = {}
            for i = 1, traced_count do
              traced_before[i] = traced_record(i)
            end
            local traced_reply = (function()
            $BODY
            end)()
            local traced_time = redis.call('TIME')
            for i = 1, traced_count do
              local reply = type(traced_reply) == 'table' and traced_reply[i] or traced_reply
              local answer = type(reply) == 'number' and 'FRESH' or type(reply) == 'string' and reply or reply[1]
              if answer == 'GRANTED' then
                answer = reply[2]
              end
              local owner, fence = traced_who(i)
              owner = string.gsub(owner, '.', function(c) return string.format('%02x', string.byte(c)) end)
              redis.log(redis.LOG_WARNING, string.format('$MARK%d $STEP %s %s %d %s %s %s',
                traced_time[1] * 1000000 + traced_time[2], KEYS[(i - 1) * traced_stride + 1], owner, fence, answer,
                traced_before[i], traced_record(i)))
            end
            return traced_reply
            """;

    /** Age of the jar and of what is in it. An archive of classes is used only with the jars that it was made with. */
    private static final Instant ALWAYS = Instant.parse("2000-01-01T00:00:00Z");

    private static final LocalDateTime ALWAYS_LOCAL = LocalDateTime.parse("2000-01-01T00:00:00");

    private TracedScripts() {}

    /** Writes a jar of the scripts, with a flaw or without, to a directory. Returns the JVM arguments that select it. */
    public static List<String> write(Flaw flaw, Path directory) {
        Map<String, String> scripts = new TreeMap<>(FlawedScripts.of(flaw));
        Path jar = directory
                .resolve((scripts.isEmpty() ? "" : flaw.id() + "-") + "scripts.jar")
                .toAbsolutePath()
                .normalize();
        TRACED.keySet().forEach(name -> scripts.put(name, traced(name, scripts.get(name))));
        try {
            Files.write(jar, zipped(scripts));
            Files.setLastModifiedTime(jar, FileTime.from(ALWAYS));
        } catch (IOException e) {
            throw new UncheckedIOException("No scripts can be written to " + jar, e);
        }
        return List.of("-Xbootclasspath/a:" + jar);
    }

    /** Returns the text of a script that logs. The first line stays the first: it says how Redis is to run the script. */
    static String traced(String name, @Nullable String changed) {
        String text = changed == null ? FlawedScripts.library(name) : changed;
        int body = text.indexOf('\n') + 1;
        return text.substring(0, body)
                + TRACING.replace("$WHO", TRACED.getOrDefault(name, ""))
                        .replace("$MARK", MARK)
                        .replace("$STEP", name)
                        .replace("$BODY", text.substring(body));
    }

    private static byte[] zipped(Map<String, String> scripts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> script : scripts.entrySet()) {
                ZipEntry entry = new ZipEntry(FlawedScripts.FOLDER + script.getKey() + ".lua");
                entry.setTimeLocal(ALWAYS_LOCAL);
                zip.putNextEntry(entry);
                zip.write(script.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }
}
