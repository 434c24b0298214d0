/** What an annotated listener method asks for. For the other packages of this module, not for applications. */
@NullMarked
package io.idem.consumer.internal.definition;

import org.jspecify.annotations.NullMarked;
