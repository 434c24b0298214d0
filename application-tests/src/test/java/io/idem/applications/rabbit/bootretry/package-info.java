/** Boot's retry. */
@NullMarked
package io.idem.applications.rabbit.bootretry;

import org.jspecify.annotations.NullMarked;
