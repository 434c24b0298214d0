/** Asynchrony by an annotation of its own. */
@NullMarked
package io.idem.applications.kafka.asyncannotation;

import org.jspecify.annotations.NullMarked;
