package io.idem.servers.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, or all tests of a class, as in need of a MySQL 8 or newer.
 *
 * <p>Without one the test is skipped, with a warning each time and the total at the end; set {@code IDEM_MYSQL_URL} to
 * use one. With {@code IDEM_REQUIRE_MYSQL=true} in the environment it fails instead.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(MySqlCondition.class)
public @interface RequiresMySql {}
