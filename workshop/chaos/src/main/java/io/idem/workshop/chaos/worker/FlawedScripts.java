package io.idem.workshop.chaos.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Implements flaws in the Lua scripts by changed copies. */
final class FlawedScripts {

    static final String FOLDER = "META-INF/idem/lua/";
    private static final String ANYBODY = "if settled then\n    return {'OK'}\n  end\n  if false then";

    private static final List<Change> OWNER_UNCHECKED = List.of(
            new Change("renew", "if same_fence and (settled or (same_owner and state == FAILED)) then", ANYBODY),
            new Change("renew", "if not (same_fence and same_owner) then", "if false then"),
            new Change(
                    "complete",
                    "\n    and string.sub(record, 4, 10) == string.sub(asked, 1, 7)"
                            + "\n    and string.sub(record, 17, 28) == string.sub(asked, 8, 19)",
                    ""),
            new Change("complete", "if not (same_fence and state == COMPLETED) then", ANYBODY),
            new Change("reject", "if not (same_fence and same_owner and state == PENDING) then", ANYBODY),
            new Change(
                    "fail",
                    "if not (same_fence and same_owner) then",
                    "if settled then\n    record = string.sub(record, 1, 16) .. owner .. string.sub(record, 17, 32)\n  end\n"
                            + "  if false then"));

    private static final List<Change> DELETE_ON_CLEAR =
            List.of(new Change("fail", "redis.pcall('SET', key, released, 'PX', expiry)", "{redis.call('DEL', key)}"));

    /**
     * Changes for a counter as fence. The short answer implies a fence taken from the clock, so it is never returned.
     */
    private static final List<Change> COUNTER_FENCE = List.of(
            new Change("acquire", "0x11, 1, even, lease_end", "0x11, 1, 1, lease_end"),
            new Change("acquire", "local above_clock = false", "local above_clock = true"),
            new Change("acquire", "above_clock = fence > even", "above_clock = true"),
            new Change(
                    "acquire",
                    "math.max(struct.unpack('>I7', asked, 29) + 1, even)",
                    "struct.unpack('>I7', asked, 29) + 1"),
            new Change(
                    "acquire", "math.max(fence + 1, fence_floor + 1, micros)", "math.max(fence + 1, fence_floor + 1)"));

    private static final List<Change> REPEATED_ACQUIRE =
            List.of(new Change("acquire", "state == PENDING and string.sub(found, 17, 28) == owner", "false"));

    private static final List<Change> TTL_AS_LEASE = List.of(
            new Change("acquire", "\n  local expiry = ARGV[2]", "\n  local expiry = ARGV[1]"),
            new Change("acquire", "\nlocal expiry = ARGV[2]", "\nlocal expiry = ARGV[1]"),
            new Change(
                    "renew",
                    "retention >= lease and ARGV[at_argument + 4] or ARGV[at_argument + 3]",
                    "ARGV[at_argument + 3]"));

    private static final List<Change> STEP_FORGOTTEN =
            List.of(new Change("remember", "redis.pcall('SET', steps, kept, 'PX', steps_expiry)", "{}"));

    /** A replacement of text in a script; the text must occur in one place only. */
    private record Change(String script, String text, String replacement) {

        String in(String source) {
            int at = source.indexOf(text);
            if (at < 0 || source.indexOf(text, at + 1) >= 0) {
                throw new IllegalStateException(
                        script + ".lua does not have this, or has it more than one time: " + text);
            }
            return source.replace(text, replacement);
        }
    }

    private FlawedScripts() {}

    /** Returns the texts of the scripts that a flaw changes, by their names; empty if it changes none. */
    static Map<String, String> of(Flaw flaw) {
        return changes(flaw).stream()
                .collect(Collectors.groupingBy(
                        Change::script, Collectors.collectingAndThen(Collectors.toList(), FlawedScripts::changed)));
    }

    private static List<Change> changes(Flaw flaw) {
        return switch (flaw) {
            case OWNER_UNCHECKED -> OWNER_UNCHECKED;
            case DELETE_ON_CLEAR -> DELETE_ON_CLEAR;
            case COUNTER_FENCE -> COUNTER_FENCE;
            case REPEATED_ACQUIRE -> REPEATED_ACQUIRE;
            case TTL_AS_LEASE -> TTL_AS_LEASE;
            case STEP_FORGOTTEN -> STEP_FORGOTTEN;
            default -> List.of();
        };
    }

    private static String changed(List<Change> changes) {
        String source = library(changes.get(0).script());
        for (Change change : changes) {
            source = change.in(source);
        }
        return source;
    }

    /** Returns the text of a script of the library. */
    static String library(String script) {
        String resource = FOLDER + script + ".lua";
        try (InputStream text = FlawedScripts.class.getClassLoader().getResourceAsStream(resource)) {
            if (text == null) {
                throw new IllegalStateException(resource + " is not there");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }
}
