package io.idem.servers.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, or all tests of a class, as in need of a MariaDB. Without one the test is skipped, with a warning each
 * time; set {@code IDEM_MARIADB_URL} to use one.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(MariaDbCondition.class)
public @interface RequiresMariaDb {}
