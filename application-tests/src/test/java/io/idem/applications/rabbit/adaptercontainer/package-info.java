/** A container of its own whose adapter names the bean. */
@NullMarked
package io.idem.applications.rabbit.adaptercontainer;

import org.jspecify.annotations.NullMarked;
