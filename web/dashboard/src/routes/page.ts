import {
  type AnyRoute,
  type AnyValidator,
  type Constrain,
  createRoute,
  type DefaultValidator,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';

type Page<Name extends string, Search> = {
  /** Which export of its module the page is. */
  name: Name;
  load: () => Promise<Record<Name, RouteComponent>>;
  validateSearch?: Constrain<Search, AnyValidator, DefaultValidator>;
};

/** A page below `parent` whose code is loaded when it is opened. */
export function page<
  Parent extends AnyRoute,
  const Path extends string,
  const Name extends string,
  Search = undefined,
>(parent: Parent, path: Path, { name, load, validateSearch }: Page<Name, Search>) {
  const component = lazyRouteComponent(load, name);
  return createRoute({ getParentRoute: () => parent, path, component, validateSearch });
}
