package io.idem.http.internal.admission;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes JSON values in a canonical form: the same text for every spelling of a value. Numbers are written as decimals of any size, so that
 * different numbers always have different texts.
 */
final class CanonicalJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final HexFormat HEX = HexFormat.of();
    private static final String ANY = "*";

    private final StringBuilder text = new StringBuilder();

    private CanonicalJson() {}

    /**
     * Returns the canonical text of a body; empty if the body is not one JSON value.
     *
     * @param leaveOut pointers of the fields that are left out
     */
    static Optional<byte[]> of(byte[] body, List<String> leaveOut) {
        try {
            JsonNode value = JSON.readTree(body);
            if (value == null || value.isMissingNode()) {
                return Optional.empty();
            }
            CanonicalJson canonical = new CanonicalJson();
            canonical.write(value, leaveOut.stream().map(CanonicalJson::steps).toList());
            return Optional.of(canonical.text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (JacksonException | ArithmeticException | NumberFormatException noValue) {
            // The latter two come from numbers whose exponent is too large for a decimal.
            return Optional.empty();
        }
    }

    private static List<String> steps(String pointer) {
        List<String> steps = new ArrayList<>();
        for (String step : pointer.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }

    private void write(JsonNode value, List<List<String>> leaveOut) {
        if (value.isObject()) {
            writeObject(value, leaveOut);
        } else if (value.isArray()) {
            writeArray(value, leaveOut);
        } else if (value.isNumber()) {
            writeNumber(value.decimalValue());
        } else if (value.isString()) {
            writeText(value.stringValue());
        } else {
            text.append(value);
        }
    }

    private void writeObject(JsonNode object, List<List<String>> leaveOut) {
        TreeMap<String, JsonNode> members = new TreeMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        text.append('{');
        members.forEach((name, value) -> {
            @Nullable List<List<String>> below = below(name, leaveOut);
            if (below != null) {
                writeText(name);
                text.append(':');
                write(value, below);
                text.append(',');
            }
        });
        text.append('}');
    }

    /** Writes an array; an element that is left out keeps its position. */
    private void writeArray(JsonNode array, List<List<String>> leaveOut) {
        text.append('[');
        for (int i = 0; i < array.size(); i++) {
            @Nullable List<List<String>> below = below(Integer.toString(i), leaveOut);
            if (below != null) {
                write(array.get(i), below);
            }
            text.append(',');
        }
        text.append(']');
    }

    /** Writes a text, escaped by UTF-16 unit, so that halves of surrogate pairs, which no encoding can carry, stay different. */
    private void writeText(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                text.append(c);
            } else {
                text.append("\\u").append(HEX.toHexDigits(c));
            }
        }
        text.append('"');
    }

    /** Writes a number with an exponent: the plain digits of a short text like 1E999999999 would be very long. */
    private void writeNumber(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        text.append(stripped.signum() == 0 ? "0" : stripped.unscaledValue() + "E" + -(long) stripped.scale());
    }

    /** Returns the fields to leave out below a step; null if the step itself is left out. */
    private static @Nullable List<List<String>> below(String step, List<List<String>> leaveOut) {
        List<List<String>> below = new ArrayList<>();
        for (List<String> path : leaveOut) {
            if (path.get(0).equals(step) || path.get(0).equals(ANY)) {
                if (path.size() == 1) {
                    return null;
                }
                below.add(path.subList(1, path.size()));
            }
        }
        return below;
    }
}
