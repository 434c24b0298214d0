package io.idem.gateway.service.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class JsonSchemaCheckTest {

    private static final String PAYMENT = """
            {
              "type": "object",
              "required": ["account", "amount"],
              "additionalProperties": false,
              "properties": {
                "account": {"type": "string", "pattern": "^[a-z]+-\\\\d{4}$"},
                "amount": {"type": "integer", "minimum": 1, "maximum": 100000},
                "price": {"type": "number", "multipleOf": 0.01},
                "currency": {"enum": ["EUR", "USD"]},
                "due": {"type": "string", "format": "date"},
                "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}}
              },
              "$defs": {"line": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 3}}}}
            }
            """;

    private final JsonSchemaCheck payments = JsonSchemaCheck.of(PAYMENT);

    @Test
    void aBodyOfTheSchemasFormPasses() {
        assertThat(
                        refusal(
                                payments,
                                "{\"account\":\"a-0001\",\"amount\":1,\"price\":12345678901234567.89,\"due\":\"2026-11-21\",\"lines\":[{}]}"))
                .isEmpty();
    }

    @Test
    void whatIsNoJsonObjectIsRefusedAsWithoutASchema() {
        assertThat(refusal(payments, "[]").map(Refusal::problem)).contains(GatewayProblem.BODY_NOT_JSON_OBJECT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'amount':1} | | required",
                "{'account':'a-0001','amount':0} | /amount | minimum",
                "{'account':'a-0001','amount':1.5} | /amount | type",
                "{'account':'A','amount':1} | /account | pattern",
                "{'account':'a-0001\\n','amount':1} | /account | pattern",
                "{'account':'a-0001','amount':1,'price':12345678901234567.895} | /price | multipleOf",
                "{'account':'a-0001','amount':1,'currency':'ZZZ'} | /currency | enum",
                "{'account':'a-0001','amount':1,'due':'tomorrow'} | /due | format",
                "{'account':'a-0001','amount':1,'lines':[{},{'text':'long'}]} | /lines/1/text | maxLength",
                "{'account':'a-0001','amount':1,'a/~':1} | /a~1~0 | additionalProperties"
            })
    void aViolationIsToldByItsPointer(String body, String pointer, String keyword) {
        Refusal refusal = refusal(payments, body.replace('\'', '"')).orElseThrow();

        assertThat(refusal.problem()).isEqualTo(GatewayProblem.BODY_SCHEMA_VIOLATED);
        assertThat(errors(refusal))
                .singleElement()
                .satisfies(error -> assertThat(error)
                        .containsEntry("pointer", pointer == null ? "" : pointer)
                        .containsEntry("keyword", keyword)
                        .hasEntrySatisfying(
                                "detail", detail -> assertThat((String) detail).isNotBlank()));
    }

    /** The validator throws: it asks for the number as a long. */
    @Test
    void aValueThatCannotBeComparedIsRefused() {
        assertThat(refusal(payments, "{\"account\":\"a-0001\",\"amount\":1e30}"))
                .hasValueSatisfying(refusal -> assertThat(refusal.detail()).contains("cannot be checked"));
    }

    @Test
    void noValueOfTheBodyIsTold() {
        Refusal refusal = refusal(payments, """
                        {"account": "s3cret", "amount": "s3cret", "price": "s3cret", "currency": "s3cret", "due": "s3cret",
                         "lines": [{"text": "s3cret"}], "other": "s3cret"}
                        """).orElseThrow();

        assertThat(errors(refusal)).hasSize(7);
        assertThat(refusal.toString()).doesNotContain("s3cret");
    }

    @Test
    void onlyTheFirstViolationsAreToldAndShortly() {
        String members = "\"" + "x".repeat(10_000) + "\":1," + "\"%d\":1,".repeat(5_000);
        Object[] names = IntStream.range(0, 5_000).boxed().toArray();

        Refusal refusal = refusal(payments, "{" + members.formatted(names) + "\"amount\":1}")
                .orElseThrow();

        assertThat(errors(refusal)).hasSize(Violations.MOST);
        assertThat(refusal.toString()).hasSizeLessThan(4_000);
    }

    @Test
    void draft7IsUnderstood() {
        JsonSchemaCheck check = JsonSchemaCheck.of("""
                {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/a.json",
                 "definitions": {"id": {"type": "string", "format": "uuid"}}, "properties": {"id": {"$ref": "#/definitions/id"}}}
                """);

        assertThat(refusal(check, "{\"id\":\"1b4e28ba-2fa1-11d2-883f-0016d3cca427\"}"))
                .isEmpty();
        assertThat(errors(refusal(check, "{\"id\":\"1\"}").orElseThrow())).hasSize(1);
    }

    @Test
    void charactersMayBeWrittenAsInEcmaScript() {
        JsonSchemaCheck check =
                JsonSchemaCheck.of("{\"properties\":{\"a\":{\"pattern\":\"^\\\\u0041\\\\u00e4\\\\\\\\u$\"}}}");

        assertThat(refusal(check, "{\"a\":\"A\u00e4\\\\u\"}")).isEmpty();
        assertThat(refusal(check, "{\"a\":\"A\u00e4u\"}")).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'type':'objekt'} | is not a JSON Schema",
                "{'minimum':'1'} | is not a JSON Schema",
                "[] | is not a JSON object",
                "{'type': | is not well-formed JSON",
                "{'$ref':'#/$defs/nobody'} | refers to \"#/$defs/nobody\", which it does not have",
                "{'properties':{'a':{'$ref':'#nobody'}}} | refers to \"#nobody\", which it does not have",
                "{'$defs':{'a':{'$id':'https://example.com/a'}}} | has the $id",
                "{'properties':{'a':{'$ref':'https://example.com/s.json'}}} | refers to \"https://example.com/s.json\"",
                "{'allOf':[{'$ref':'file:/etc/hostname'}]} | refers to \"file:/etc/hostname\"",
                "{'$schema':'http://json-schema.org/draft-04/schema#'} | use JSON Schema 2020-12 or draft 7",
                "{'$schema':'https://example.com/own'} | use JSON Schema 2020-12 or draft 7",
                "{'properties':{'a':{'pattern':'(?=x)'}}} | has a pattern that cannot be matched in bounded time",
                "{'patternProperties':{'(a':{}}} | has a pattern"
            })
    void whatIsNoSchemaThatCanBeCheckedIsRefused(String schema, String complaint) {
        assertThat(Assertions.assertThrows(
                        IllegalArgumentException.class, () -> JsonSchemaCheck.of(schema.replace('\'', '"'))))
                .hasMessageContaining(complaint);
    }

    @Test
    void aPatternThatBacktracksForeverElsewhereIsMatchedAtOnce() {
        JsonSchemaCheck check =
                JsonSchemaCheck.of("{\"properties\":{\"a\":{\"pattern\":\"^(([a-z])+.)+[A-Z]([a-z])+$\"}}}");

        assertEnds(() -> assertThat(refusal(check, "{\"a\":\"" + "a".repeat(50_000) + "\"}"))
                .isPresent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "date",
                "time",
                "date-time",
                "duration",
                "email",
                "hostname",
                "ipv4",
                "ipv6",
                "uuid",
                "uri",
                "uri-reference"
            })
    void aLongTextHasNoFormatAndNeedsNoStack(String format) {
        JsonSchemaCheck check = JsonSchemaCheck.of("{\"properties\":{\"a\":{\"format\":\"" + format + "\"}}}");

        for (String part : List.of("a", "a.", "1", "1.", "/~0", ":", "a@", "%20", "PT1S")) {
            assertThat(refusal(check, "{\"a\":\"" + part.repeat(200_000 / part.length()) + "\"}"))
                    .isPresent();
        }
    }

    @Test
    void formatsThatNoStackCouldHoldAreNotChecked() {
        JsonSchemaCheck check = JsonSchemaCheck.of("{\"properties\":{\"a\":{\"format\":\"json-pointer\"}}}");

        assertThat(refusal(check, "{\"a\":\"" + "/a".repeat(100_000) + "\"}")).isEmpty();
    }

    @Test
    void alternativesThatReferToThemselvesEnd() {
        String node =
                "{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"%s\"},\"of\":{\"$ref\":\"#\"}},\"required\":[\"kind\"]}";
        JsonSchemaCheck check =
                JsonSchemaCheck.of("{\"oneOf\":[" + node.formatted("and") + "," + node.formatted("or") + "]}");

        assertThat(refusal(check, "{\"kind\":\"and\",\"of\":{\"kind\":\"or\"}}"))
                .isEmpty();
        assertEnds(() -> assertThat(refusal(check, nested(90, "{\"kind\":\"and\",\"of\":", "{\"kind\":\"or\"}")))
                .hasValueSatisfying(refusal -> assertThat(refusal.detail()).contains("too much work")));
    }

    @Test
    void aReferenceToItselfEnds() {
        JsonSchemaCheck check = JsonSchemaCheck.of(
                "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}");

        assertThat(refusal(check, "{\"a\":1}")).isPresent();
    }

    @Test
    void theDeepestBodyOfARecursiveSchemaFitsASmallStack() throws InterruptedException {
        JsonSchemaCheck check = JsonSchemaCheck.of("""
                {"$ref": "#/$defs/node", "$defs": {"node": {"allOf": [{"anyOf": [{"properties": {"a": {
                    "oneOf": [{"$ref": "#/$defs/node"}, {"type": "string"}]}}}]}]}}}
                """);
        List<Boolean> passed = new CopyOnWriteArrayList<>();
        Thread small = new Thread(
                null,
                () -> passed.add(refusal(check, nested(BoundedJson.DEEPEST - 1, "{\"a\":", "{}"))
                        .isEmpty()),
                "small",
                512 * 1024);
        small.start();
        small.join();

        assertThat(passed).containsExactly(true);
        assertThat(refusal(check, nested(BoundedJson.DEEPEST, "{\"a\":", "{}"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E999999999", "-1e-999999999", "1E401", "1E99999999999", "1e-99999999999"})
    void numbersThatNobodyCanCalculateWithAreRefused(String number) {
        assertEnds(() -> assertThat(refusal(payments, "{\"account\":\"a-0001\",\"amount\":1,\"price\":" + number + "}"))
                .isPresent());
    }

    /** Two letters of one hash code make as many texts of one hash code as one likes: by hash codes, this takes many minutes. */
    @Test
    void uniqueItemsWithOneHashCodeAreToldApartSoon() {
        JsonSchemaCheck check = JsonSchemaCheck.of("{\"properties\":{\"a\":{\"uniqueItems\":true}}}");
        String items = colliding(1 << 17);

        assertEnds(() -> assertThat(refusal(check, "{\"a\":[" + items + "]}")).isEmpty());
        assertEnds(() -> assertThat(refusal(check, "{\"a\":[" + items + ",\"" + "BB".repeat(17) + "\"]}"))
                .isPresent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "1, 2 | true",
                "1, 1 | false",
                "1, 1.0 | false",
                "100, 1e2 | false",
                "0, -0.0 | false",
                "1, true | true",
                "0, false | true",
                "null, 'null' | true",
                "'a', 'a' | false",
                "'1', 1 | true",
                "{'a':1,'b':2}, {'b':2,'a':1} | false",
                "{'a':1}, {'a':'1'} | true",
                "{'a':{}}, {'a':[]} | true",
                "[1,2], [2,1] | true",
                "[12], [1,2] | true",
                "['a','b'], ['a\\',\\'b'] | true",
                "[[]], [[],[]] | true"
            })
    void itemsAreUniqueByTheirValue(String items, boolean unique) {
        JsonSchemaCheck check = JsonSchemaCheck.of("{\"properties\":{\"a\":{\"uniqueItems\":true}}}");

        assertThat(refusal(check, "{\"a\":[" + items.replace('\'', '"') + "]}").isEmpty())
                .isEqualTo(unique);
    }

    @Test
    void itemsThatNeedNotBeUniqueAreNotLookedAt() {
        JsonSchemaCheck check = JsonSchemaCheck.of("{\"properties\":{\"a\":{\"uniqueItems\":false}}}");

        assertThat(refusal(check, "{\"a\":[1,1]}")).isEmpty();
    }

    /** Each alternative looks at the same items again. */
    @Test
    void uniqueItemsAreCountedAsWork() {
        String node = "{\"properties\":{\"kind\":{\"const\":\"%s\"},\"of\":{\"$ref\":\"#\"},"
                + "\"list\":{\"uniqueItems\":true}}}";
        JsonSchemaCheck check =
                JsonSchemaCheck.of("{\"anyOf\":[" + node.formatted("and") + "," + node.formatted("or") + "]}");
        String list = "{\"kind\":\"or\",\"list\":[" + colliding(1 << 13) + "]}";

        assertEnds(() -> assertThat(refusal(check, nested(12, "{\"kind\":\"or\",\"of\":", list)))
                .hasValueSatisfying(refusal -> assertThat(refusal.detail()).contains("too much work")));
    }

    private static String colliding(int items) {
        return IntStream.range(0, items)
                .mapToObj(item -> IntStream.range(0, 17)
                        .mapToObj(bit -> (item >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "\"", "\"")))
                .collect(Collectors.joining(","));
    }

    private static void assertEnds(Executable work) {
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), work);
    }

    private static String nested(int levels, String open, String innermost) {
        return open.repeat(levels) + innermost + "}".repeat(levels);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> errors(Refusal refusal) {
        return (List<Map<String, Object>>) refusal.members().getOrDefault("errors", List.of());
    }

    private static Optional<Refusal> refusal(JsonSchemaCheck check, String body) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setContentType("application/json");
        return check.check(IncomingServletRequest.of(request), body.getBytes(StandardCharsets.UTF_8));
    }
}
