package io.idem.gateway.service.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;
import com.networknt.schema.format.Formats;
import java.util.List;
import java.util.Map;

/**
 * A format that no text above a length has, because the checks need a stack that grows with the text.
 *
 * @param longest the number of characters
 */
record BoundedFormat(Format format, int longest) implements Format {

    private static final int LONGEST_URI = 2_048;

    /**
     * The longest text of a format: RFC 5321 allows no longer address, RFC 1035 no longer host name, and the other
     * formats are short.
     */
    private static final int LONGEST = 320;

    private static final Map<String, Integer> ASSERTED = Map.ofEntries(
            Map.entry("date", LONGEST),
            Map.entry("time", LONGEST),
            Map.entry("date-time", LONGEST),
            Map.entry("duration", LONGEST),
            Map.entry("email", LONGEST),
            Map.entry("hostname", LONGEST),
            Map.entry("ipv4", LONGEST),
            Map.entry("ipv6", LONGEST),
            Map.entry("uuid", LONGEST),
            Map.entry("uri", LONGEST_URI),
            Map.entry("uri-reference", LONGEST_URI));

    /** Returns the formats that are checked; others are annotations. */
    static List<Format> all() {
        return Formats.DEFAULT.stream()
                .filter(format -> ASSERTED.containsKey(format.getName()))
                .<Format>map(format -> new BoundedFormat(format, ASSERTED.getOrDefault(format.getName(), LONGEST)))
                .toList();
    }

    @Override
    public String getName() {
        return format.getName();
    }

    @Override
    public String getMessageKey() {
        return format.getMessageKey();
    }

    @Override
    public boolean matches(ExecutionContext evaluation, SchemaContext context, String value) {
        return value.length() <= longest && format.matches(evaluation, context, value);
    }
}
