/** A container customizer with an advice chain of its own. */
@NullMarked
package io.idem.applications.rabbit.customizedadvice;

import org.jspecify.annotations.NullMarked;
