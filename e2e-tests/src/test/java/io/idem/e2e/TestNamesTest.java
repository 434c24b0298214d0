package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The names of the test methods of all modules. */
class TestNamesTest {

    private static final int LONGEST = 70;

    private final TestSources sources = new TestSources();

    @Test
    void testMethodsHaveShortNamesInCamelCase() {
        assertThat(sources.tests())
                .hasSizeGreaterThan(1_000)
                .allSatisfy(
                        name -> assertThat(name).matches("[a-z][a-zA-Z0-9]*").hasSizeLessThanOrEqualTo(LONGEST));
    }
}
