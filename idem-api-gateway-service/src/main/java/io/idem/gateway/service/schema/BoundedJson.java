package io.idem.gateway.service.schema;

import java.math.BigDecimal;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/** Reads JSON with bounded nesting and exponents. Numbers keep all their digits. */
final class BoundedJson {

    /** The deepest nesting of objects and arrays: far more than messages have, far less than a stack allows. */
    static final int DEEPEST = 100;

    /** The largest exponent, above that of a double. A calculation with the digits of 1E999999999 would not end. */
    private static final int LARGEST_EXPONENT = 400;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .nodeFactory(new ModestNumbers())
            .build();

    private BoundedJson() {}

    /** Reads one value; throws a {@code JacksonException} for text that is not JSON or exceeds a bound. */
    static JsonNode read(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (NumberFormatException tooLarge) {
            // An exponent above that of BigDecimal, for which Jackson has no message of its own.
            throw new StreamConstraintsException("A number's exponent exceeds " + LARGEST_EXPONENT);
        }
    }

    private static final class ModestNumbers extends JsonNodeFactory {

        @Override
        public NumericNode numberNode(BigDecimal value) {
            if (Math.abs((long) value.scale()) > LARGEST_EXPONENT) {
                throw new StreamConstraintsException("A number's exponent exceeds " + LARGEST_EXPONENT);
            }
            return (NumericNode) super.numberNode(value);
        }
    }
}
