/** Several consumers. */
@NullMarked
package io.idem.applications.rabbit.concurrent;

import org.jspecify.annotations.NullMarked;
