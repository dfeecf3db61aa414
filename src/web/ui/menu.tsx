import { useId, useState, type ReactNode } from 'react';
import buttonStyles from './button.module.css';
import copyStyles from './copy-button.module.css';
import { Icon, type IconName } from './icon.tsx';
import styles from './menu.module.css';

type MenuProps = {
  readonly label: string;
  readonly icon: IconName;
  readonly labelled?: boolean;
  readonly children: ReactNode;
};

export const Menu = ({ label, icon, labelled = false, children }: MenuProps): ReactNode => {
  const id = useId();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`target ${labelled ? buttonStyles.plain : copyStyles.copy}`}
        popoverTarget={id}
        aria-label={label}
        title={labelled ? undefined : label}
      >
        <Icon name={icon} />
        {labelled && label}
      </button>
      <div
        id={id}
        popover="auto"
        className={`surface ${styles.sheet}`}
        onBeforeToggle={() => setOpened(true)}
      >
        {opened && children}
      </div>
    </>
  );
};

type MenuItemProps = { readonly label: string; readonly icon: IconName; readonly onPress: () => void };

export const MenuItem = ({ label, icon, onPress }: MenuItemProps): ReactNode => (
  <button
    type="button"
    className={`target ${copyStyles.copy}`}
    onClick={(event) => {
      event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
      onPress();
    }}
  >
    <Icon name={icon} />
    {label}
  </button>
);
