package io.idem.jdbc.internal;

import io.idem.RecordId;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Steps in the column {@code steps}: an object with a member for each step. The name is the step's id, with a question mark
 * behind it for one that was only begun; the value is "fence codec result", the result in base64.
 */
public final class StepColumn {

    private static final String BEGUN = "?";
    private static final int PARTS = 3;
    private static final Pattern MEMBER = Pattern.compile("\"([^\"]+)\"\\s*:\\s*\"([^\"]*)\"");

    private StepColumn() {}

    public static String name(RememberedStep step) {
        return step.kind() == Kind.DONE ? step.id() : step.id() + BEGUN;
    }

    public static String value(RememberedStep step) {
        StoredResult result = step.result();
        return step.fence() + " " + result.codec() + " " + Base64.getEncoder().encodeToString(result.content());
    }

    /** Returns the steps of the rows, each with a name and a value; empty if there are no rows. */
    public static Optional<List<RememberedStep>> read(RecordId record, ResultSet rows) throws SQLException {
        boolean any = false;
        List<RememberedStep> steps = new ArrayList<>();
        while (rows.next()) {
            any = true;
            String name = rows.getString(1);
            if (name != null) {
                steps.add(step(record, name, rows.getString(2)));
            }
        }
        return any ? Optional.of(steps) : Optional.empty();
    }

    /** Returns steps with the fence of the first one, which tells their life. */
    public static RememberedSteps remembered(List<RememberedStep> steps) {
        long first = steps.stream().mapToLong(RememberedStep::fence).min().orElse(0);
        return steps.isEmpty() ? RememberedSteps.NONE : new RememberedSteps(first, steps);
    }

    /** Returns the steps of a column as text, which may be null. Databases may escape a slash. */
    public static List<RememberedStep> read(RecordId record, @Nullable String json) {
        return json == null
                ? List.of()
                : MEMBER.matcher(json.replace("\\", ""))
                        .results()
                        .map(member -> step(record, member.group(1), member.group(2)))
                        .toList();
    }

    /** Returns steps as the text of a column; null if there are none. */
    public static @Nullable String write(List<RememberedStep> steps) {
        return steps.isEmpty()
                ? null
                : steps.stream()
                        .map(step -> '"' + name(step) + "\":\"" + value(step) + '"')
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private static RememberedStep step(RecordId record, String name, String value) {
        boolean begun = name.endsWith(BEGUN);
        String[] parts = value.split(" ", PARTS);
        try {
            StoredResult result = parts[1].isEmpty()
                    ? StoredResult.NONE
                    : StoredResult.of(
                            parts[1], Base64.getDecoder().decode(parts[2].getBytes(StandardCharsets.US_ASCII)));
            return new RememberedStep(
                    begun ? name.substring(0, name.length() - 1) : name,
                    begun ? Kind.BEGUN : Kind.DONE,
                    Long.parseLong(parts[0]),
                    result);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
            throw new UnreadableRecordException(record, "a step that reads \"" + parts[0] + "\"");
        }
    }
}
