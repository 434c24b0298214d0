package io.idem.gateway.service.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.springframework.core.NestedExceptionUtils;
import tools.jackson.databind.JsonNode;

/** Compiles a schema, or explains why it cannot be used. */
final class Compiler {

    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .locale(Locale.ROOT)
            .formatAssertionsEnabled(true)
            .regularExpressionFactory(new LinearExpressions())
            .build();

    private Compiler() {}

    /**
     * Compiles a schema with everything that it refers to.
     *
     * @throws IllegalArgumentException if it is not a schema, or not one that can be checked
     */
    static Schema compile(JsonNode document) {
        Dialect dialect = dialect(document);
        requireSchema(document, dialect);
        References.requireWithin(document);
        try {
            SchemaRegistry registry = SchemaRegistry.withDialect(
                    bounded(dialect),
                    builder -> builder.schemaRegistryConfig(CONFIG)
                            .schemaLoader(loader -> loader.block(anything -> true)));
            return registry.getSchema(document);
        } catch (RuntimeException unusable) {
            throw new IllegalArgumentException(reason(unusable), unusable);
        }
    }

    private static Dialect dialect(JsonNode document) {
        String said = document.path("$schema").asString(SpecificationVersion.DRAFT_2020_12.getDialectId());
        return List.of(Dialects.getDraft202012(), Dialects.getDraft7()).stream()
                .filter(known -> bare(known.getId()).equals(bare(said)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "has the $schema \"" + said + "\"; use JSON Schema 2020-12 or draft 7"));
    }

    private static String bare(String id) {
        String withoutFragment = id.endsWith("#") ? id.substring(0, id.length() - 1) : id;
        return withoutFragment.replaceFirst("^https?:", "");
    }

    private static void requireSchema(JsonNode document, Dialect dialect) {
        List<Error> errors = SchemaRegistry.withDefaultDialect(dialect)
                .getSchema(SchemaLocation.of(dialect.getId()))
                .validate(document);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(errors.stream()
                    .limit(Violations.MOST)
                    .map(Error::toString)
                    .collect(Collectors.joining("; ", "is not a JSON Schema: ", "")));
        }
    }

    private static Dialect bounded(Dialect dialect) {
        return Dialect.builder(dialect)
                .formats(formats -> {
                    formats.clear();
                    BoundedFormat.all().forEach(format -> formats.put(format.getName(), format));
                })
                .keyword(new UniqueItems())
                .build();
    }

    private static String reason(RuntimeException unusable) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(unusable);
        return root instanceof PatternSyntaxException
                ? "has a pattern that cannot be matched in bounded time (lookaround and back references cannot): "
                        + root.getMessage()
                : "cannot be used: " + unusable.getMessage();
    }

    /**
     * Regular expressions that match in linear time: those of RE2, without lookaround and back references. Java's own
     * could run for hours on a short text.
     */
    private static final class LinearExpressions implements RegularExpressionFactory {

        /** A character by its code unit, as ECMA-262 writes it, unless it follows an escaped backslash. */
        private static final java.util.regex.Pattern UNICODE_ESCAPE =
                java.util.regex.Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u([0-9A-Fa-f]{4})");

        @Override
        public RegularExpression getRegularExpression(String regex) {
            Matcher escapes = UNICODE_ESCAPE.matcher(regex);
            Pattern pattern = Pattern.compile(escapes.replaceAll("$1\\\\x{$2}"));
            return text -> pattern.matcher(text).find();
        }
    }
}
