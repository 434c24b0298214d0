package io.idem.test.spring;

import io.idem.test.TestIdempotency;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Removes all records before each test, because tests share contexts. */
final class ForgetBeforeEachTest implements TestExecutionListener {

    @Override
    public void beforeTestMethod(TestContext test) {
        if (TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), IdempotencyTest.class)) {
            test.getApplicationContext().getBean(TestIdempotency.class).reset();
        }
    }
}
