package io.idem.gateway.service.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import java.util.ArrayList;
import java.util.Collection;

/** One body's evaluation, bounded in work, depth and what it remembers. */
final class Evaluation {

    /** Keywords looked at: some 100,000 values of a body. Schemas whose alternatives refer to themselves can ask for any number. */
    static final int MOST_STEPS = 500_000;

    /** Schemas within schemas; a reference to itself has no end. */
    private static final int DEEPEST = 1_000;

    private static final ExecutionConfig CONFIG = ExecutionConfig.builder()
            .formatAssertionsEnabled(true)
            .maxEvaluationSteps(MOST_STEPS)
            .maxEvaluationDepth(DEEPEST)
            .build();

    /** Characters of items that are compared: a large body some twenty times. */
    static final long MOST_CHARACTERS = 20_000_000;

    private Evaluation() {}

    static ExecutionContext begin() {
        ExecutionContext context = new CountingContext();
        context.setErrors(new FirstErrors());
        return context;
    }

    /**
     * Counts characters that a keyword has to compare, which the validator's own steps do not.
     *
     * @throws ExceededException if they are too many
     */
    static void looked(ExecutionContext evaluation, int characters) {
        ((CountingContext) evaluation).looked(characters);
    }

    /** An evaluation is too much work. */
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

    /** Forgets all errors but the first: a body of nothing but errors would need many times its own memory. */
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
