package io.idem.gateway.service.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import java.util.ArrayList;
import java.util.Collection;

/** The evaluation of one body, bounded in work, depth and memory. */
final class Evaluation {

    /**
     * The most keywords of one evaluation, enough for some 100,000 values of a body. Schemas whose alternatives refer
     * to themselves can need any number.
     */
    static final int MOST_STEPS = 500_000;

    /** The deepest nesting of schemas, since a schema that refers to itself never ends. */
    private static final int DEEPEST = 1_000;

    private static final ExecutionConfig CONFIG = ExecutionConfig.builder()
            .formatAssertionsEnabled(true)
            .maxEvaluationSteps(MOST_STEPS)
            .maxEvaluationDepth(DEEPEST)
            .build();

    /** The most characters of items that are compared: a large body some twenty times. */
    static final long MOST_CHARACTERS = 20_000_000;

    private Evaluation() {}

    static ExecutionContext begin() {
        ExecutionContext context = new CountingContext();
        context.setErrors(new FirstErrors());
        return context;
    }

    /**
     * Counts characters that a keyword compares, which are not part of the validator's own steps.
     *
     * @throws ExceededException if the bound is exceeded
     */
    static void looked(ExecutionContext evaluation, int characters) {
        ((CountingContext) evaluation).looked(characters);
    }

    /** Thrown when an evaluation exceeds a bound. */
    static final class ExceededException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ExceededException() {
            super("More than " + MOST_CHARACTERS + " characters of items to compare", null, false, false);
        }
    }

    private static final class CountingContext extends ExecutionContext {

        private long characters;

        CountingContext() {
            super(CONFIG);
        }

        void looked(int more) {
            characters += more;
            if (characters > MOST_CHARACTERS) {
                throw new ExceededException();
            }
        }
    }

    /** Keeps only the first errors: the errors of a body full of them would need many times its own memory. */
    @SuppressWarnings("JdkObsolete")
    private static final class FirstErrors extends ArrayList<Error> {

        @Override
        public boolean add(Error error) {
            return size() < Violations.MOST && super.add(error);
        }

        @Override
        public boolean addAll(Collection<? extends Error> errors) {
            return errors.stream().map(this::add).reduce(false, Boolean::logicalOr);
        }
    }
}
