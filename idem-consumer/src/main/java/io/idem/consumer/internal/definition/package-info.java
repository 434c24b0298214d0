/**
 * The settings of an annotated listener method: start with {@code ListenerDefinition}. For the other packages of this
 * module, not for applications.
 */
@NullMarked
package io.idem.consumer.internal.definition;

import org.jspecify.annotations.NullMarked;
