package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Something that others require of a server, as a test, and what idem does about it.
 *
 * @param id name of the vector, as its source has it
 * @param requirement what the source requires
 * @param required test of the requirement
 * @param result whether idem does as required
 * @param reason why it does not; empty if it does
 * @param instead test of what idem does instead; not used if it does as required
 */
record ConformanceVector(String id, String requirement, Check required, Result result, String reason, Check instead) {

    static ConformanceVector of(String id, String requirement, Check required) {
        return new ConformanceVector(id, requirement, required, Result.AS_REQUIRED, "", required);
    }

    /** The requirement holds but for a name. */
    ConformanceVector butFor(String names, Check otherNames) {
        return new ConformanceVector(id, requirement, required, Result.OTHER_NAMES, names, otherNames);
    }

    ConformanceVector otherwise(String decision, Check decided) {
        return new ConformanceVector(id, requirement, required, Result.OTHERWISE, decision, decided);
    }

    /** A requirement that idem deviates from must fail, so that the result is that of the test. */
    void verify(ConformanceTarget target) {
        target.reset();
        if (result == Result.AS_REQUIRED) {
            required.of(target);
        } else {
            assertThatThrownBy(() -> required.of(target)).isInstanceOf(AssertionError.class);
            target.reset();
            instead.of(target);
        }
    }

    @Override
    public String toString() {
        return id;
    }

    /** Throws an {@link AssertionError} unless the application does what is tested. */
    @FunctionalInterface
    interface Check {

        void of(ConformanceTarget target);
    }

    enum Result {
        AS_REQUIRED("as required"),
        OTHER_NAMES("as required but for a name"),
        OTHERWISE("otherwise by decision");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }
}
