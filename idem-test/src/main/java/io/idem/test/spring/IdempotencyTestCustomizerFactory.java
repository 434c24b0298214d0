package io.idem.test.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Adds the customizer to tests that have the annotation. */
final class IdempotencyTestCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        IdempotencyTest found = TestContextAnnotationUtils.findMergedAnnotation(testClass, IdempotencyTest.class);
        return found == null ? null : new IdempotencyTestCustomizer(found.brokers());
    }
}
