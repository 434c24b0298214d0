package io.idem.gateway.service.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;
import com.networknt.schema.format.Formats;
import java.util.List;
import java.util.Set;

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

    private static final Set<String> URIS = Set.of("uri", "uri-reference");
    private static final Set<String> OTHERS =
            Set.of("date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");

    /** Returns the formats that are checked; others are annotations. */
    static List<Format> all() {
        return Formats.DEFAULT.stream()
                .filter(format -> URIS.contains(format.getName()) || OTHERS.contains(format.getName()))
                .<Format>map(
                        format -> new BoundedFormat(format, URIS.contains(format.getName()) ? LONGEST_URI : LONGEST))
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
