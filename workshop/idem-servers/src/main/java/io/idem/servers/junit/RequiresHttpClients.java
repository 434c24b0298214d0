package io.idem.servers.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, or all tests of a class, as in need of HTTP clients of other languages, in the folder that the environment
 * variable {@value #FOLDER} names.
 *
 * <p>Without them the test is skipped, with a warning each time and the total at the end. With
 * {@code IDEM_REQUIRE_HTTP_CLIENTS=true} in the environment it fails instead.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(HttpClientsCondition.class)
public @interface RequiresHttpClients {

    /** The environment variable that names the folder. */
    String FOLDER = "IDEM_HTTP_CLIENTS";
}
