package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Fingerprint;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class FingerprintRulesTest {

    private static final FingerprintRules BY_VALUE = new FingerprintRules(true, true, List.of(), List.of());

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
                {"a":1,"b":2}         | {"b":2,"a":1}
                {"a":{"c":1,"b":[]}}  | { "a" : { "b" : [ ], "c" : 1 } }
                {"a":1}               | {"a":1.0}
                {"a":100}             | {"a":1e2}
                {"a":0}               | {"a":-0.0}
                {"a":"é/"}            | {"a":"\\u00E9\\/"}
                [true,null]           | [ true , null ]
                1E999999999           | 10e999999998
                """)
    void oneValueHasOneFingerprintHoweverItIsSpelled(String one, String other) {
        assertThat(of(BY_VALUE, one)).isEqualTo(of(BY_VALUE, other));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
                {"a":1}                | {"a":"1"}
                {"a":1}                | {"a":2}
                {"a":1}                | {"b":1}
                {"a":null}             | {}
                {"a":[1,2]}            | {"a":[2,1]}
                {"a":[12]}             | {"a":[1,2]}
                {"a":true}             | {"a":"true"}
                {"a":"\\ud800"}        | {"a":"\\ud801"}
                {"a":"x\\",\\"b\\":1"} | {"a":"x","b":1}
                {"a":0.1}              | {"a":0.10000000000000000001}
                {"a":9007199254740993} | {"a":9007199254740992}
                {"a":1,"a":2}          | {"a":2}
                {"a":1,"a":2}          | {"a":2,"a":1}
                {"a":1} {}             | {"a":1}
                {"a":1                 | {"a":1}
                {}                     | []
                1E99999999999          | 1E99999999998
                100E2147483647         | 10E2147483647
                """)
    void differentValuesHaveDifferentFingerprints(String one, String other) {
        assertThat(of(BY_VALUE, one)).isNotEqualTo(of(BY_VALUE, other));
    }

    @Test
    void fieldsThatAreLeftOutDoNotCount() {
        FingerprintRules rules =
                new FingerprintRules(true, true, List.of(), List.of("/sentAt", "/items/*/at", "/x~1y/0", "/deep/a/b"));

        assertThat(of(rules, """
                {"sentAt":1,"items":[{"at":1,"id":7}],"x/y":[1,2],"deep":{"a":{"b":1}}}"""))
                .isEqualTo(of(rules, """
                {"sentAt":2,"items":[{"at":2,"id":7}],"x/y":[3,2],"deep":{"a":{}}}"""))
                .isNotEqualTo(of(rules, """
                {"sentAt":2,"items":[{"at":2,"id":8}],"x/y":[3,2],"deep":{"a":{}}}"""))
                .isNotEqualTo(of(rules, """
                {"sentAt":2,"items":[{"at":2,"id":7}],"x/y":[3,4],"deep":{"a":{}}}"""))
                .isNotEqualTo(of(rules, """
                {"sentAt":2,"items":[{"at":2,"id":7}],"x/y":[3,2],"deep":{"b":{}}}"""));
    }

    @Test
    void aBodyOfAnotherTypeCountsByItsBytes() {
        assertThat(of(BY_VALUE, "text/plain", "{\"a\": 1}")).isNotEqualTo(of(BY_VALUE, "text/plain", "{\"a\":1}"));
        assertThat(of(BY_VALUE, "application/cloudevents+json; charset=utf-8", "{\"a\": 1}"))
                .isEqualTo(of(BY_VALUE, "application/cloudevents+json; charset=utf-8", "{\"a\":1}"));
    }

    @Test
    void deepNestingIsNoError() {
        assertThat(of(BY_VALUE, "[".repeat(100_000))).isNotEqualTo(of(BY_VALUE, "[".repeat(99_999)));
    }

    @Test
    void leavingFieldsOutNeedsCanonicalJson() {
        assertThatThrownBy(() -> new FingerprintRules(true, false, List.of(), List.of("/a")))
                .hasMessageContaining("canonical-json");
    }

    private static Fingerprint of(FingerprintRules rules, String body) {
        return of(rules, "application/json", body);
    }

    private static Fingerprint of(FingerprintRules rules, String type, String body) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.addHeader("Content-Type", type);
        return rules.fingerprint(IncomingServletRequest.of(request), List.of(body.getBytes(StandardCharsets.UTF_8)));
    }
}
