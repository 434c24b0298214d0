/** Tests of an application with each of the starters, which change none of its beans. */
@NullMarked
package io.idem.packaging.starter;

import org.jspecify.annotations.NullMarked;
